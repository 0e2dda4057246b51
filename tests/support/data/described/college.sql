CREATE TABLE department (dept_code TEXT PRIMARY KEY, dept_name TEXT, address TEXT, extension INTEGER);
CREATE TABLE student (stu_num INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, sex TEXT, gpa REAL, birth_date DATE, home_city TEXT, dept_code TEXT REFERENCES department);
CREATE TABLE course (crs_code TEXT PRIMARY KEY, dept_code TEXT REFERENCES department, title TEXT, credit REAL);
CREATE TABLE enroll (crs_code TEXT REFERENCES course, stu_num INTEGER REFERENCES student, grade TEXT, semester TEXT);
INSERT INTO department VALUES ('ACCT','Accounting','KLR 211',3119),('CIS','Computer Info Systems','KLR 209',3245),('HIST','History','DRE 156',1867),('BIOL','Biology','AAK 230',4117);
INSERT INTO student VALUES (1,'William','Bowser','M',2.84,'1998-02-12','Boston','BIOL'),(2,'Anne','Smithson','F',3.27,'1999-11-15','Chicago','CIS'),(3,'Juliette','Brewer','F',2.26,'1997-08-23','Boston','ACCT'),(4,'Walter','Oblonski','M',3.09,'1996-09-16','Denver','CIS'),(5,'John','Smith','M',2.11,'1998-12-30','Chicago','HIST'),(6,'Terry','Estep','M',3.85,'2000-03-21','Boston','CIS'),(7,'Gerald','Dana','M',3.5,'1999-01-01',NULL,'ACCT');
INSERT INTO course VALUES ('ACCT-211','ACCT','Accounting I',3),('CIS-220','CIS','Intro to Microcomputing',3),('CIS-420','CIS','Database Design',4),('HIST-101','HIST','World History',3),('BIOL-110','BIOL','Cell Biology',4);
INSERT INTO enroll VALUES ('CIS-220',2,'B','F19'),('CIS-420',2,'A','S20'),('ACCT-211',3,'C','F19'),('CIS-220',4,'C','F19'),('CIS-420',4,'B','S20'),('HIST-101',5,'D','S20'),('CIS-420',6,'A','S20'),('BIOL-110',1,'B','F19');
