-- A carrier of parcels and freight. :scale is the share of 180,000 rows, in per mille.
CREATE MACRO pick(i, salt, n) AS CAST((((i * 7919 + salt * 104729 + 12345) * 48271) % 2147483647 * 16807 + salt * 31) % 2147483647 % n AS BIGINT);
CREATE TABLE hub AS
SELECT * FROM (VALUES (1, 'Hamburg', 'North', 'Germany', 52000), (2, 'Bremen', 'North', 'Germany', 18000), (3, 'Munich', 'South', 'Germany', 41000),
 (4, 'Vienna', 'South', 'Austria', 23000), (5, 'Lyon', 'West', 'France', 37000), (6, 'Lille', 'West', 'France', 15500), (7, 'Warsaw', 'East', 'Poland', 44000),
 (8, 'Prague', 'East', 'Czechia', 26000)) AS t(hub_id, hub_name, zone, country, floor_sqm);
CREATE TABLE client AS
SELECT i AS client_id, ['Nordwind','Alpina','Meridian','Quercus','Lumen','Vesta'][1 + pick(i, 1, 6)] || ' ' || ['GmbH','SA','Ltd','sro'][1 + pick(i, 2, 4)] || ' ' || i AS client_name,
 ['retail','pharma','automotive','food'][1 + pick(i, 3, 4)] AS industry, ['basic','plus','premium'][1 + pick(i, 4, 3)] AS contract,
 DATE '2019-01-01' + CAST(pick(i, 5, 2200) AS INTEGER) AS signed_on, CASE WHEN pick(i, 6, 5) = 0 THEN DATE '2025-03-12' - CAST(pick(i, 7, 400) AS INTEGER) END AS ended_on
FROM range(1, 301) AS r(i);
CREATE TABLE driver AS
SELECT i AS driver_id, ['Jonas','Piotr','Claire','Eva','Marek','Luca','Nina'][1 + pick(i, 11, 7)] || ' ' || ['Weber','Nowak','Martin','Novak','Rossi','Huber'][1 + pick(i, 12, 6)] || ' ' || i AS driver_name,
 1 + pick(i, 13, 8) AS home_hub_id, ['van','truck'][1 + pick(i, 14, 2)] AS licence, 18 + pick(i, 15, 45) AS age, DATE '2010-06-01' + CAST(pick(i, 16, 5300) AS INTEGER) AS joined_on
FROM range(1, 201) AS r(i);
CREATE TABLE vehicle AS
SELECT i AS vehicle_id, 'V-' || lpad(CAST(i AS VARCHAR), 4, '0') AS plate, ['van','truck','e-van'][1 + pick(i, 21, 3)] AS type, ['MAN','Iveco','Ford','Volvo'][1 + pick(i, 22, 4)] AS maker,
 500 + pick(i, 23, 200) * 100 AS payload_kg, 2012 + pick(i, 24, 13) AS built_year, CASE WHEN i % 6 > 0 THEN 1 + pick(i, 25, 8) END AS hub_id
FROM range(1, 151) AS r(i);
CREATE TABLE shipment AS
SELECT i AS shipment_id, 1 + pick(i, 31, 300) AS client_id, 1 + pick(i, 32, 8) AS from_hub_id, 1 + pick(i, 33, 8) AS to_hub_id,
 ['express','standard','standard','economy'][1 + pick(i, 34, 4)] AS service, ['delivered','delivered','delivered','delivered','delivered','lost','returned','in_transit'][1 + pick(i, 35, 8)] AS status,
 CAST(DATE '2022-07-01' AS TIMESTAMP) + to_minutes(CAST(pick(i, 36, 985) * 1440 + pick(i, 37, 1440) AS BIGINT)) AS picked_up_at,
 CASE WHEN pick(i, 35, 8) < 5 THEN CAST(DATE '2022-07-01' AS TIMESTAMP) + to_minutes(CAST(pick(i, 36, 985) * 1440 + pick(i, 37, 1440) + 300 + pick(i, 38, 9000) AS BIGINT)) END AS delivered_at,
 (1 + pick(i, 39, 9000)) / 10.0 AS weight_kg, CAST(5 + pick(i, 40, 40000) / 100.0 AS DECIMAL(10, 2)) AS price, pick(i, 41, 30) = 0 AS is_internal
FROM range(1, 90000 * :scale // 1000 + 1) AS r(i);
CREATE TABLE scan AS
SELECT i AS scan_id, 1 + pick(i, 51, 90000 * :scale // 1000) AS shipment_id, 1 + pick(i, 52, 8) AS hub_id, ['arrival','departure','customs'][1 + pick(i, 53, 3)] AS event,
 CAST(DATE '2022-07-01' AS TIMESTAMP) + to_minutes(CAST(pick(i, 54, 985) * 1440 + pick(i, 55, 1440) AS BIGINT)) AS scanned_at
FROM range(1, 70000 * :scale // 1000 + 1) AS r(i);
CREATE TABLE trip AS
SELECT i AS trip_id, 1 + pick(i, 61, 200) AS driver_id, 1 + pick(i, 62, 150) AS vehicle_id, DATE '2022-07-01' + CAST(pick(i, 63, 985) AS INTEGER) AS trip_date,
 20 + pick(i, 64, 700) AS distance_km, CAST((20 + pick(i, 64, 700)) * (8 + pick(i, 65, 20)) / 100.0 AS DECIMAL(10, 2)) AS fuel_litres, pick(i, 66, 180) AS delay_minutes
FROM range(1, 15000 * :scale // 1000 + 1) AS r(i);
CREATE TABLE claim AS
SELECT i AS claim_id, 1 + pick(i, 71, 90000 * :scale // 1000) AS shipment_id, ['damage','loss','delay'][1 + pick(i, 72, 3)] AS reason, CAST(10 + pick(i, 73, 90000) / 100.0 AS DECIMAL(10, 2)) AS amount,
 DATE '2022-08-01' + CAST(pick(i, 74, 950) AS INTEGER) AS filed_on, CASE WHEN pick(i, 75, 4) > 0 THEN DATE '2022-08-01' + CAST(pick(i, 74, 950) + 1 + pick(i, 76, 60) AS INTEGER) END AS settled_on
FROM range(1, 4000 * :scale // 1000 + 1) AS r(i);
