-- The log outlives what it tells of: an account without a past is deleted, and its refused logins stay.
ALTER TABLE activity DROP CONSTRAINT activity_user_id_fkey;
--> statement-breakpoint
ALTER TABLE activity
  -- As it was at that moment. A voucher has its last digits only: no log holds a whole number.
  ADD COLUMN subject_name text NOT NULL DEFAULT '',
  -- Whose business it is beside the organisation's.
  ADD COLUMN branch_id uuid;
--> statement-breakpoint
-- Acts have codes from now on. This once rows are changed: nothing that they say is lost.
ALTER TABLE activity DISABLE TRIGGER activity_append_only;
--> statement-breakpoint
UPDATE activity SET action = CASE action
  WHEN 'submitted the onboarding' THEN 'onboarding.submitted'
  WHEN 'approved' THEN 'review.approved'
  WHEN 'rejected' THEN 'review.rejected'
  WHEN 'removed the authenticator app' THEN 'mfa.removed'
  WHEN 'released' THEN 'hold.released'
  WHEN 'revoked' THEN 'voucher.revoked'
  WHEN 'issued vouchers' THEN 'vouchers.issued'
  ELSE action END;
--> statement-breakpoint
UPDATE activity a SET subject_type = 'organisation', subject_id = o.id::text, subject_name = o.name
FROM organisation o WHERE o.id = a.organisation_id AND a.subject_type IN ('organisation', 'review');
--> statement-breakpoint
UPDATE activity a SET
  subject_type = CASE u.type
    WHEN 'Additional Merchant' THEN 'master' WHEN 'Branch Merchant' THEN 'branch' WHEN 'POS User' THEN 'pos_user' ELSE 'account' END,
  subject_id = CASE u.type WHEN 'Branch Merchant' THEN coalesce(u.branch_id, u.id) ELSE u.id END::text,
  subject_name = coalesce(u.name, u.login_name),
  branch_id = u.branch_id
FROM app_user u WHERE a.subject_type = 'user' AND u.id::text = a.subject_id;
--> statement-breakpoint
UPDATE activity a SET subject_name = '…' || right(v.serial, 4) FROM voucher v
WHERE a.subject_type = 'voucher' AND v.id::text = a.subject_id;
--> statement-breakpoint
-- The branch of a hold that was released is where it was made, whoever released it.
UPDATE activity a SET branch_id = h.branch_id FROM ended_hold h
WHERE a.action = 'hold.released' AND h.voucher_id::text = a.subject_id AND h.ended_at = a.at;
--> statement-breakpoint
UPDATE activity a SET branch_id = u.branch_id FROM app_user u WHERE a.branch_id IS NULL AND u.id = a.user_id;
--> statement-breakpoint
ALTER TABLE activity ENABLE TRIGGER activity_append_only;
--> statement-breakpoint
CREATE TRIGGER activity_never_emptied BEFORE TRUNCATE ON activity
  FOR EACH STATEMENT EXECUTE FUNCTION activity_is_append_only();
--> statement-breakpoint
-- Every filter of the log, each with the order it is read in.
CREATE INDEX activity_by_subject ON activity (organisation_id, subject_id, at, id);
--> statement-breakpoint
CREATE INDEX activity_by_user ON activity (organisation_id, user_id, at, id);
--> statement-breakpoint
CREATE INDEX activity_by_branch ON activity (organisation_id, branch_id, at, id);
--> statement-breakpoint
CREATE INDEX activity_by_action ON activity (organisation_id, action, at, id);
