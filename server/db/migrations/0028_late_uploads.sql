-- What a till uploaded after it was revoked: it counts, and somebody reviews it (decision 0084).
CREATE TABLE late_upload (
  redemption_id uuid PRIMARY KEY REFERENCES redemption (id),
  till_guid uuid NOT NULL REFERENCES till (guid),
  reviewed_at timestamptz,
  reviewed_by uuid REFERENCES app_user (id),
  CHECK (num_nonnulls(reviewed_at, reviewed_by) IN (0, 2))
);
--> statement-breakpoint
CREATE INDEX late_upload_by_till ON late_upload (till_guid);
--> statement-breakpoint
ALTER TABLE late_upload ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY tenant ON late_upload USING (EXISTS (SELECT FROM till WHERE till.guid = till_guid));
--> statement-breakpoint
-- Of tills that are revoked now. The release before wrote none down.
INSERT INTO late_upload (redemption_id, till_guid)
SELECT redemption.id, till.guid
FROM till JOIN redemption ON redemption.branch_id = till.branch_id AND redemption.till_id = till.id
WHERE till.moved_to IS NULL AND redemption.recorded_at > till.revoked_at;
