-- A retailer's warehouse. :scale is the share of 200,000 rows, in per mille.
CREATE MACRO pick(i, salt, n) AS CAST((((i * 7919 + salt * 104729 + 12345) * 48271) % 2147483647 * 16807 + salt * 31) % 2147483647 % n AS BIGINT);
CREATE TABLE city AS
SELECT * FROM (VALUES
 (1, '上海', '上海', '华东', '中国'), (2, '杭州', '浙江', '华东', '中国'), (3, '南京', '江苏', '华东', '中国'), (4, '宁波', '浙江', '华东', '中国'),
 (5, '广州', '广东', '华南', '中国'), (6, '深圳', '广东', '华南', '中国'), (7, '厦门', '福建', '华南', '中国'), (8, '北京', '北京', '华北', '中国'),
 (9, '天津', '天津', '华北', '中国'), (10, '成都', '四川', '西南', '中国'), (11, '重庆', '重庆', '西南', '中国'), (12, '新加坡', '新加坡', '海外', '新加坡'),
 (13, '东京', '东京都', '海外', '日本'), (14, '伦敦', '大伦敦', '海外', '英国')) AS t(city_id, city, province, region, country);
CREATE TABLE department AS
SELECT * FROM (VALUES
 (1, '电商部', '零售本部'), (2, '门店运营部', '零售本部'), (3, '大客户部', '企业本部'), (4, '渠道部', '企业本部'), (5, '客服部', '支持本部'),
 (6, '物流部', '支持本部'), (7, '国际业务部', '海外本部')) AS t(dept_id, dept_name, division);
CREATE TABLE employee AS
SELECT i AS emp_id, ['王','李','张','刘','陈','杨','赵','黄'][1 + pick(i, 1, 8)] || ['伟','芳','娜','敏','静','磊','军','洋','艳','勇'][1 + pick(i, 2, 10)] || i AS emp_name,
 1 + pick(i, 3, 7) AS dept_id, ['顾问','主管','经理','总监'][1 + least(pick(i, 4, 9), 3)] AS title,
 8000 + pick(i, 5, 240) * 100 AS salary, DATE '2015-01-01' + CAST(pick(i, 6, 3800) AS INTEGER) AS hired_on,
 CASE WHEN pick(i, 7, 10) = 0 THEN DATE '2025-06-18' - CAST(pick(i, 8, 300) AS INTEGER) END AS left_on,
 CASE WHEN i > 12 THEN 1 + pick(i, 9, 12) END AS manager_id
FROM range(1, 181) AS r(i);
CREATE TABLE shop AS
SELECT i AS shop_id, c.city || ['旗舰店','一店','二店','社区店'][1 + pick(i, 11, 4)] || i AS shop_name, c.city_id,
 ['旗舰店','标准店','快闪店'][1 + pick(i, 12, 3)] AS shop_type, DATE '2018-03-01' + CAST(pick(i, 13, 2400) AS INTEGER) AS opened_on,
 60 + pick(i, 14, 400) AS area_sqm, CASE WHEN i % 9 <> 0 THEN 1 + pick(i, 15, 180) END AS keeper_id
FROM range(1, 43) AS r(i) JOIN city AS c ON c.city_id = 1 + pick(i, 10, 14);
CREATE TABLE customer AS
SELECT i AS cust_id, 'C' || lpad(CAST(i AS VARCHAR), 6, '0') AS cust_code, 1 + pick(i, 21, 14) AS home_city_id,
 ['个人','个人','个人','企业','政府'][1 + pick(i, 22, 5)] AS segment, ['normal','normal','silver','gold','platinum'][1 + pick(i, 23, 5)] AS tier,
 DATE '2021-01-01' + CAST(pick(i, 24, 1630) AS INTEGER) AS joined_on,
 CASE WHEN pick(i, 25, 4) > 0 THEN 1955 + pick(i, 26, 50) END AS birth_year,
 CASE WHEN pick(i, 27, 3) > 0 THEN 'u' || i || '@mail.test' END AS email
FROM range(1, 12000 * :scale // 1000 + 1) AS r(i);
CREATE TABLE product AS
SELECT i AS sku, ['星河','云杉','北辰','极光','山岚'][1 + pick(i, 31, 5)] AS brand,
 ['手机','笔记本','耳机','冰箱','洗衣机','零食','饮料','图书'][1 + pick(i, 32, 8)] AS category,
 ['星河','云杉','北辰','极光','山岚'][1 + pick(i, 31, 5)] || ['手机','笔记本','耳机','冰箱','洗衣机','零食','饮料','图书'][1 + pick(i, 32, 8)] || i AS title,
 20 + pick(i, 33, 600) * 10 AS list_price, CASE WHEN pick(i, 34, 6) > 0 THEN (1 + pick(i, 35, 300)) / 10.0 END AS weight_kg,
 DATE '2020-01-01' + CAST(pick(i, 36, 1900) AS INTEGER) AS launched_on
FROM range(1, 401) AS r(i);
CREATE TABLE sales_order AS
SELECT i AS order_id, 1 + pick(i, 41, 11000 * :scale // 1000 + 1) AS cust_id, 1 + pick(i, 42, 42) AS shop_id,
 CASE WHEN pick(i, 43, 5) > 0 THEN 1 + pick(i, 44, 180) END AS seller_id, 1 + pick(i, 45, 14) AS ship_city_id,
 CAST(DATE '2023-01-01' AS TIMESTAMP) + to_minutes(CAST(CAST(pick(i, 46, 900) AS BIGINT) * 1440 + (8 + pick(i, 47, 15)) * 60 + pick(i, 48, 60) AS BIGINT)) AS ordered_at,
 ['completed','completed','completed','completed','completed','completed','cancelled','returned','pending'][1 + pick(i, 49, 9)] AS status,
 ['app','web','shop','phone'][1 + pick(i, 50, 4)] AS channel, CASE WHEN pick(i, 51, 3) = 0 THEN 'CP' || pick(i, 52, 20) END AS coupon,
 pick(i, 53, 40) = 0 AS is_test
FROM range(1, 55000 * :scale // 1000 + 1) AS r(i);
CREATE TABLE order_line AS
SELECT o.order_id, l AS line_no, 1 + pick(o.order_id * 5 + l, 61, 400) AS sku, 1 + pick(o.order_id * 5 + l, 62, 5) AS quantity,
 CAST(p.list_price * (70 + pick(o.order_id * 5 + l, 63, 31)) / 100.0 AS DECIMAL(12, 2)) AS unit_price
FROM sales_order AS o CROSS JOIN range(1, 4) AS r(l) JOIN product AS p ON p.sku = 1 + pick(o.order_id * 5 + l, 61, 400)
WHERE l <= 1 + pick(o.order_id, 64, 3);
CREATE TABLE ticket AS
SELECT i AS ticket_id, 1 + pick(i, 71, 11000 * :scale // 1000 + 1) AS cust_id, CASE WHEN pick(i, 72, 4) > 0 THEN 1 + pick(i, 73, 400) END AS sku,
 1 + pick(i, 74, 180) AS agent_id, ['P1','P2','P3','P4'][1 + least(3, pick(i, 75, 8))] AS priority,
 ['退款','物流','质量','账号','发票'][1 + pick(i, 76, 5)] AS topic,
 CAST(DATE '2023-06-01' AS TIMESTAMP) + to_minutes(CAST(pick(i, 77, 749) * 1440 + (7 + pick(i, 78, 16)) * 60 + pick(i, 79, 60) AS BIGINT)) AS opened_at,
 CASE WHEN pick(i, 80, 7) > 0 THEN CAST(DATE '2023-06-01' AS TIMESTAMP) + to_minutes(CAST(pick(i, 77, 749) * 1440 + (7 + pick(i, 78, 16)) * 60 + pick(i, 79, 60) + 20 + pick(i, 81, 9000) AS BIGINT)) END AS resolved_at,
 CASE WHEN pick(i, 82, 3) > 0 THEN 1 + pick(i, 83, 5) END AS score
FROM range(1, 22000 * :scale // 1000 + 1) AS r(i);
CREATE TABLE "部门月报" AS
SELECT d.dept_id AS "部门编号", CAST(2023 + m // 12 AS BIGINT) AS "年份", CAST(1 + m % 12 AS BIGINT) AS "月份", 1000000 + pick(d.dept_id * 100 + m, 91, 900) * 1000 AS "流水",
 600000 + pick(d.dept_id * 100 + m, 92, 500) * 1000 AS "成本", pick(d.dept_id * 100 + m, 93, 200) * 1000 AS "递延",
 ['系统','系统','手工'][1 + pick(d.dept_id * 100 + m, 94, 3)] AS "数据来源"
FROM department AS d CROSS JOIN range(0, 30) AS r(m);
