-- A chain of hotels. :scale is the share of 120,000 rows, in per mille.
CREATE MACRO pick(i, salt, n) AS CAST((((i * 7919 + salt * 104729 + 12345) * 48271) % 2147483647 * 16807 + salt * 31) % 2147483647 % n AS BIGINT);
CREATE TABLE hotel AS
SELECT * FROM (VALUES (1, '外滩店', '上海', '直营', 210, 2012), (2, '虹桥店', '上海', '加盟', 140, 2016), (3, '西湖店', '杭州', '直营', 180, 2014), (4, '国贸店', '北京', '直营', 320, 2010),
 (5, '三里屯店', '北京', '加盟', 95, 2019), (6, '春熙路店', '成都', '加盟', 160, 2017), (7, '解放碑店', '重庆', '直营', 150, 2018), (8, '天河店', '广州', '直营', 240, 2013)) AS t(hotel_id, hotel_name, city, operation, rooms, opened_year);
CREATE TABLE guest AS
SELECT i AS guest_id, 'G' || lpad(CAST(i AS VARCHAR), 6, '0') AS guest_no, ['普通','银卡','金卡','钻石'][1 + least(pick(i, 1, 7), 3)] AS level, ['中国','美国','日本','德国'][1 + least(pick(i, 2, 9), 3)] AS nationality,
 DATE '2019-01-01' + CAST(pick(i, 3, 2300) AS INTEGER) AS joined_on, CASE WHEN pick(i, 4, 3) > 0 THEN 'g' || i || '@mail.test' END AS email
FROM range(1, 9000 * :scale // 1000 + 1) AS r(i);
CREATE TABLE booking AS
SELECT i AS booking_id, 1 + pick(i, 11, 9000 * :scale // 1000) AS guest_id, 1 + pick(i, 12, 8) AS hotel_id, ['官网','携程','美团','前台','协议客户'][1 + pick(i, 13, 5)] AS source,
 ['大床房','双床房','套房','家庭房'][1 + pick(i, 14, 4)] AS room_type, ['已入住','已入住','已入住','已取消','未到店'][1 + pick(i, 15, 5)] AS status,
 CAST(DATE '2023-01-01' AS TIMESTAMP) + to_minutes(CAST(pick(i, 16, 900) * 1440 + pick(i, 17, 1440) AS BIGINT)) AS booked_at,
 DATE '2023-01-01' + CAST(pick(i, 16, 900) + pick(i, 18, 30) AS INTEGER) AS checkin_on, 1 + pick(i, 19, 6) AS nights, CAST(200 + pick(i, 20, 1300) AS DECIMAL(10, 2)) AS rate, 1 + pick(i, 21, 4) AS guests,
 CASE WHEN pick(i, 22, 4) = 0 THEN 'PROMO' || pick(i, 23, 9) END AS promo_code
FROM range(1, 60000 * :scale // 1000 + 1) AS r(i);
CREATE TABLE review AS
SELECT i AS review_id, 1 + pick(i, 31, 60000 * :scale // 1000) AS booking_id, 1 + pick(i, 32, 5) AS stars, ['卫生','服务','位置','早餐'][1 + pick(i, 33, 4)] AS topic,
 CAST(DATE '2023-01-05' AS TIMESTAMP) + to_minutes(CAST(pick(i, 34, 920) * 1440 AS BIGINT)) AS written_at, pick(i, 35, 3) > 0 AS answered
FROM range(1, 20000 * :scale // 1000 + 1) AS r(i);
CREATE TABLE staff AS
SELECT i AS staff_id, ['赵','钱','孙','李','何'][1 + pick(i, 41, 5)] || ['敏','强','丽','军'][1 + pick(i, 42, 4)] || i AS staff_name, 1 + pick(i, 43, 8) AS hotel_id, ['前台','客房','餐饮','工程'][1 + pick(i, 44, 4)] AS team, 4500 + pick(i, 45, 90) * 100 AS wage,
 DATE '2012-01-01' + CAST(pick(i, 46, 4800) AS INTEGER) AS hired_on
FROM range(1, 261) AS r(i);
CREATE TABLE expense AS
SELECT i AS expense_id, 1 + pick(i, 51, 8) AS hotel_id, ['人力','能耗','维修','营销'][1 + pick(i, 52, 4)] AS kind, CAST(100 + pick(i, 53, 90000) / 10.0 AS DECIMAL(12, 2)) AS amount, DATE '2023-01-01' + CAST(pick(i, 54, 900) AS INTEGER) AS spent_on
FROM range(1, 8000 * :scale // 1000 + 1) AS r(i);
