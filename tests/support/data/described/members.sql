CREATE TABLE member (Member_ID INTEGER PRIMARY KEY, Name TEXT, Country TEXT, Age INTEGER, Level INTEGER);
CREATE TABLE branch (Branch_ID INTEGER PRIMARY KEY, Branch_Name TEXT, City TEXT, Open_Year INTEGER, Membership_Amount INTEGER);
CREATE TABLE visit (Branch_ID INTEGER REFERENCES branch, Member_ID INTEGER REFERENCES member, Year INTEGER, Total_Spent REAL);
INSERT INTO member VALUES (1,'Ashby Lazale','United States',29,5),(2,'Breton Robert','United Kingdom',41,3),(3,'Campbell Jessie','United States',35,6),(4,'Cobb Sidney','Canada',29,4),(5,'Gustafson Hans','Norway',52,6),(6,'Hassan Leila','Canada',23,1),(7,'Ito Kenji','Japan',38,2),(8,'Jansen Mila','Norway',31,5);
INSERT INTO branch VALUES (1,'Victoria','London',2001,621),(2,'Vauxhall','London',2008,759),(3,'Aberdeen Pier','Aberdeen',2003,560),(4,'Harbour','Bristol',2013,134),(5,'Mile End','London',2010,210);
INSERT INTO visit VALUES (1,1,2015,120.5),(1,2,2016,45),(2,1,2016,80),(2,3,2015,60.25),(3,3,2016,14),(3,4,2016,90),(4,5,2015,201.5),(1,5,2017,33),(2,7,2017,70),(1,1,2017,12);
