-- A hospital. :scale is the share of 150,000 rows, in per mille.
CREATE MACRO pick(i, salt, n) AS CAST((((i * 7919 + salt * 104729 + 12345) * 48271) % 2147483647 * 16807 + salt * 31) % 2147483647 % n AS BIGINT);
CREATE TABLE dept AS
SELECT * FROM (VALUES (1, '心内科', '内科'), (2, '呼吸科', '内科'), (3, '消化科', '内科'), (4, '骨科', '外科'), (5, '普外科', '外科'),
 (6, '神经外科', '外科'), (7, '儿科', '儿科'), (8, '产科', '妇产'), (9, '急诊科', '急诊')) AS t(dept_id, dept_name, division);
CREATE TABLE doctor AS
SELECT i AS doctor_id, ['周','吴','郑','王','冯','陈','褚','卫'][1 + pick(i, 1, 8)] || ['明','慧','建国','丽','强','雪','宁'][1 + pick(i, 2, 7)] || i AS doctor_name,
 1 + pick(i, 3, 9) AS dept_id, ['住院医师','主治医师','副主任医师','主任医师'][1 + pick(i, 4, 4)] AS title, ['男','女'][1 + pick(i, 5, 2)] AS gender,
 DATE '2005-01-01' + CAST(pick(i, 6, 7000) AS INTEGER) AS hired_on
FROM range(1, 121) AS r(i);
CREATE TABLE patient AS
SELECT i AS patient_id, 'P' || lpad(CAST(i AS VARCHAR), 7, '0') AS patient_no, ['M','F'][1 + pick(i, 11, 2)] AS sex, 1930 + pick(i, 12, 95) AS birth_year,
 ['城镇职工','城乡居民','商业保险','自费'][1 + pick(i, 13, 4)] AS insurance, ['本市','外地','外地','本市','境外'][1 + pick(i, 14, 5)] AS origin,
 DATE '2020-01-01' + CAST(pick(i, 15, 2070) AS INTEGER) AS registered_on, CASE WHEN pick(i, 16, 3) > 0 THEN '13' || i END AS phone
FROM range(1, 15000 * :scale // 1000 + 1) AS r(i);
CREATE TABLE visit AS
SELECT i AS visit_id, 1 + pick(i, 21, 15000 * :scale // 1000) AS patient_id, 1 + pick(i, 22, 120) AS doctor_id,
 ['普通','普通','专家','急诊','复诊'][1 + pick(i, 23, 5)] AS kind,
 CAST(DATE '2023-01-01' AS TIMESTAMP) + to_minutes(CAST(pick(i, 24, 983) * 1440 + (8 + pick(i, 25, 10)) * 60 + pick(i, 26, 60) AS BIGINT)) AS visited_at,
 5 + pick(i, 27, 115) AS wait_minutes, ['完成','完成','完成','完成','爽约','退号'][1 + pick(i, 28, 6)] AS state,
 CASE WHEN pick(i, 29, 3) = 0 THEN 1 + pick(i, 30, 5) END AS rating, ['线上','现场','电话'][1 + pick(i, 31, 3)] AS booked_by
FROM range(1, 60000 * :scale // 1000 + 1) AS r(i);
CREATE TABLE admission AS
SELECT i AS admission_id, 1 + pick(i, 41, 15000 * :scale // 1000) AS patient_id, 1 + pick(i, 42, 9) AS dept_id,
 DATE '2023-01-01' + CAST(pick(i, 43, 960) AS INTEGER) AS admitted_on,
 CASE WHEN pick(i, 44, 12) > 0 THEN DATE '2023-01-01' + CAST(pick(i, 43, 960) + 1 + pick(i, 45, 22) AS INTEGER) END AS discharged_on,
 ['择期','急诊','转院'][1 + pick(i, 46, 3)] AS way, pick(i, 47, 15) = 0 AS readmitted, ['好转','治愈','好转','死亡','转院'][1 + pick(i, 48, 5)] AS outcome
FROM range(1, 9000 * :scale // 1000 + 1) AS r(i);
CREATE TABLE drug AS
SELECT i AS drug_id, ['阿莫西林','布洛芬','二甲双胍','氨氯地平','奥美拉唑','头孢克肟'][1 + (i - 1) % 6] || ['片','胶囊','注射液'][1 + pick(i, 52, 3)] || i AS drug_name,
 ['抗生素','镇痛','降糖','降压','消化','抗生素'][1 + (i - 1) % 6] AS class, 5 + pick(i, 53, 300) AS unit_price, pick(i, 54, 4) = 0 AS imported
FROM range(1, 151) AS r(i);
CREATE TABLE prescription AS
SELECT i AS rx_id, 1 + pick(i, 61, 60000 * :scale // 1000) AS visit_id, 1 + pick(i, 62, 150) AS drug_id, 1 + pick(i, 63, 6) AS quantity
FROM range(1, 50000 * :scale // 1000 + 1) AS r(i);
CREATE TABLE bill AS
SELECT i AS bill_id, 1 + pick(i, 71, 60000 * :scale // 1000) AS visit_id, ['挂号','检查','检验','药品','治疗'][1 + pick(i, 72, 5)] AS item,
 CAST(10 + pick(i, 73, 200000) / 100.0 AS DECIMAL(12, 2)) AS amount, CAST(pick(i, 74, 100) / 100.0 * (10 + pick(i, 73, 200000) / 100.0) AS DECIMAL(12, 2)) AS insured,
 CASE WHEN pick(i, 75, 10) > 0 THEN CAST(DATE '2023-01-01' AS TIMESTAMP) + to_minutes(CAST(pick(i, 76, 983) * 1440 + pick(i, 77, 1440) AS BIGINT)) END AS paid_at,
 CAST(DATE '2023-01-01' AS TIMESTAMP) + to_minutes(CAST(pick(i, 76, 983) * 1440 + pick(i, 78, 600) AS BIGINT)) AS billed_at
FROM range(1, 30000 * :scale // 1000 + 1) AS r(i);
