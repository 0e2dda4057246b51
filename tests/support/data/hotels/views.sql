CREATE TEMP VIEW b AS SELECT k.*, h.hotel_name, h.city, h.operation, g.level, g.nationality, k.nights * k.rate AS amount FROM booking AS k JOIN hotel AS h USING (hotel_id) JOIN guest AS g USING (guest_id);
CREATE TEMP VIEW s AS SELECT * FROM b WHERE status = '已入住';
CREATE TEMP VIEW r AS SELECT v.*, b.hotel_name, b.city, b.level, b.room_type FROM review AS v JOIN b USING (booking_id);
CREATE TEMP VIEW e AS SELECT x.*, h.hotel_name, h.city, h.operation FROM expense AS x JOIN hotel AS h USING (hotel_id);
CREATE TEMP VIEW w AS SELECT x.*, h.hotel_name, h.city FROM staff AS x JOIN hotel AS h USING (hotel_id);
