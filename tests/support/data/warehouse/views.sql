-- What gold queries select from: the tables joined, without test orders; `sale` also without cancelled ones.
CREATE TEMP VIEW ord AS
SELECT o.*, c.cust_code, c.segment, c.tier, c.joined_on, c.birth_year, s.shop_name, s.shop_type, s.opened_on, s.area_sqm, ci.city, ci.province, ci.region,
 ci.country, sc.city AS ship_city, hc.city AS home_city, e.emp_name AS seller, d.dept_name AS seller_dept
FROM sales_order AS o JOIN customer AS c USING (cust_id) JOIN shop AS s USING (shop_id) JOIN city AS ci ON ci.city_id = s.city_id
 JOIN city AS sc ON sc.city_id = o.ship_city_id JOIN city AS hc ON hc.city_id = c.home_city_id LEFT JOIN employee AS e ON e.emp_id = o.seller_id
 LEFT JOIN department AS d USING (dept_id) WHERE NOT o.is_test;
CREATE TEMP VIEW sale AS
SELECT o.*, l.sku, l.quantity, l.unit_price, l.quantity * l.unit_price AS amount, p.brand, p.category, p.title
FROM order_line AS l JOIN ord AS o USING (order_id) JOIN product AS p USING (sku) WHERE o.status <> 'cancelled';
CREATE TEMP VIEW tk AS
SELECT t.*, date_diff('minute', opened_at, resolved_at) / 60.0 AS hours, c.segment, c.tier, c.cust_code, p.brand, p.category, p.title, e.emp_name AS agent, d.dept_name, d.division
FROM ticket AS t JOIN customer AS c USING (cust_id) LEFT JOIN product AS p USING (sku) JOIN employee AS e ON e.emp_id = t.agent_id JOIN department AS d USING (dept_id);
CREATE TEMP VIEW emp AS SELECT e.*, d.dept_name, d.division FROM employee AS e JOIN department AS d USING (dept_id);
CREATE TEMP VIEW mon AS
SELECT "年份" AS y, "月份" AS m, "流水" AS flow, "流水" - "成本" AS profit, "流水" - "成本" - "递延" AS deferred, d.dept_name, d.division
FROM "部门月报" JOIN department AS d ON d.dept_id = "部门编号" WHERE "数据来源" <> '手工';
