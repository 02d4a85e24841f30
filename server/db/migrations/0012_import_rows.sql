-- Which rows of which file became what: a batch that is sent again, because its answer was lost, creates nothing twice.
CREATE TABLE import_row (
  user_id uuid NOT NULL REFERENCES app_user,
  -- Made by the browser that read the file.
  import_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('branch', 'pos user')),
  row_number integer NOT NULL CHECK (row_number > 0),
  -- A branch or an account. It may be deleted later: that it was made stays.
  record_id uuid NOT NULL,
  imported_at timestamptz NOT NULL,
  -- Of a POS user: when the import last made up a password for it.
  password_set_at timestamptz,
  PRIMARY KEY (user_id, import_id, kind, row_number)
);
