-- Tills that a manager has enrolled, moved or revoked (decision 0079).
ALTER TABLE till
  ADD COLUMN enrolled_at timestamptz,
  ADD COLUMN revoked_at timestamptz,
  ADD COLUMN moved_to uuid REFERENCES branch (id) ON DELETE SET NULL,
  ADD COLUMN removal_asked_at timestamptz,
  ADD COLUMN removed_at timestamptz;
--> statement-breakpoint
CREATE TABLE enrolment (
  id uuid PRIMARY KEY,
  branch_id uuid NOT NULL REFERENCES branch (id) ON DELETE CASCADE,
  name text NOT NULL,
  code_hash text NOT NULL,
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  till_id uuid
);
--> statement-breakpoint
CREATE UNIQUE INDEX enrolment_code ON enrolment (code_hash);
--> statement-breakpoint
CREATE INDEX enrolment_expiry ON enrolment (expires_at);
--> statement-breakpoint
ALTER TABLE enrolment ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY tenant ON enrolment USING (EXISTS (SELECT FROM branch WHERE branch.id = branch_id));
