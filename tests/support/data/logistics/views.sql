CREATE TEMP VIEW shp AS
SELECT s.*, c.client_name, c.industry, c.contract, f.hub_name AS from_hub, f.country AS from_country, t.hub_name AS to_hub, t.country AS to_country, t.zone AS to_zone,
 date_diff('minute', picked_up_at, delivered_at) / 60.0 AS hours
FROM shipment AS s JOIN client AS c USING (client_id) JOIN hub AS f ON f.hub_id = s.from_hub_id JOIN hub AS t ON t.hub_id = s.to_hub_id WHERE NOT s.is_internal;
CREATE TEMP VIEW clm AS SELECT k.*, s.service, c.client_name, c.industry FROM claim AS k JOIN shipment AS s USING (shipment_id) JOIN client AS c USING (client_id);
CREATE TEMP VIEW trp AS SELECT t.*, d.driver_name, d.age, v.type, v.maker, h.hub_name AS home_hub FROM trip AS t JOIN driver AS d USING (driver_id) JOIN vehicle AS v USING (vehicle_id) JOIN hub AS h ON h.hub_id = d.home_hub_id;
