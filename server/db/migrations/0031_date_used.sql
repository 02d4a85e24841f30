-- By the column itself, which sorts what is held (null) where it stood. PostgreSQL takes an expression with COALESCE for something
-- that may tell what is behind the wall (decision 0040), and read a whole merchant for one day of it (rule 18.15).
-- The release before sorts by voucher_org_date_used and voucher_branch_date_used, so they stay until the next one.
CREATE INDEX IF NOT EXISTS voucher_org_used ON voucher (organisation_id, used_at, id) WHERE organisation_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS voucher_branch_used ON voucher (branch_id, used_at, id) WHERE branch_id IS NOT NULL;
