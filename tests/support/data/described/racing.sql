CREATE TABLE driver (Driver_ID INTEGER PRIMARY KEY, Driver_Name TEXT, Nationality TEXT, Age INTEGER, Points REAL);
CREATE TABLE team (Team_ID INTEGER PRIMARY KEY, Team_Name TEXT, Make TEXT, Manager TEXT, Founded INTEGER);
CREATE TABLE race (Race_ID INTEGER PRIMARY KEY, Track TEXT, Country TEXT, Race_Date DATE, Winner_ID INTEGER REFERENCES driver(Driver_ID), Laps INTEGER);
CREATE TABLE team_driver (Team_ID INTEGER REFERENCES team, Driver_ID INTEGER REFERENCES driver);
INSERT INTO driver VALUES (1,'Bryan Clauson','USA',24,128),(2,'Max Keller','Germany',31,301.5),(3,'Sven Holm','Sweden',27,88),(4,'Luca Ferri','Italy',22,210),(5,'Anna Weiss','Germany',35,12),(6,'Tom Reed','USA',29,175);
INSERT INTO team VALUES (1,'Arrow','Toyota','Joe Gibbs',1992),(2,'Comet','Chevrolet','Rick Hendrick',1984),(3,'Delta','Ford','Mia Chan',2005),(4,'Echo','Toyota','Sam Ott',2011);
INSERT INTO race VALUES (1,'Monza','Italy','2011-09-11',2,53),(2,'Spa','Belgium','2011-08-28',4,44),(3,'Suzuka','Japan','2012-10-07',2,53),(4,'Monza','Italy','2012-09-09',6,53),(5,'Austin','USA','2012-11-18',2,56);
INSERT INTO team_driver VALUES (1,1),(1,2),(2,3),(2,4),(2,6),(3,5);
