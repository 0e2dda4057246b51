CREATE TEMP VIEW vis AS
SELECT v.*, p.sex, p.birth_year, p.insurance, p.origin, d.doctor_name, d.title, e.dept_name, e.division
FROM visit AS v JOIN patient AS p USING (patient_id) JOIN doctor AS d USING (doctor_id) JOIN dept AS e USING (dept_id);
CREATE TEMP VIEW adm AS
SELECT a.*, p.sex, p.insurance, p.origin, e.dept_name, e.division, discharged_on - admitted_on AS days
FROM admission AS a JOIN patient AS p USING (patient_id) JOIN dept AS e USING (dept_id);
CREATE TEMP VIEW bil AS SELECT b.*, v.kind, v.dept_name, v.division, v.insurance, v.doctor_name FROM bill AS b JOIN vis AS v USING (visit_id);
CREATE TEMP VIEW rx AS SELECT r.*, g.drug_name, g.class, g.unit_price, g.imported, v.dept_name, v.doctor_name, v.visited_at FROM prescription AS r JOIN drug AS g USING (drug_id) JOIN vis AS v USING (visit_id);
