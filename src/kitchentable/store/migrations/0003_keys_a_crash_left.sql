-- Keys that a crash left in force. Until now they ended in a step of their own, after the one that
-- recorded the end of their seat's use; this form knows nothing but times to tell them by. Ends and
-- events are one step from now on.

with ended as materialized (
    select campaign, json_extract(body, '$.data.of') as seat, max(time) as time
    from (select campaign, time, cast(body as text) as body from events
        where kind in ('seat-revoked', 'seat-refused', 'seat-handed-over'))
    where json_valid(body)
    group by campaign, seat
)
update tokens set revoked = ended.time from ended
where tokens.campaign = ended.campaign and tokens.seat = ended.seat
and tokens.revoked is null and tokens.created <= ended.time;
