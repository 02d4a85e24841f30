-- The key of an organisation to which its tills seal their rescue copies (decision 0080). One each, made when it is first asked for.
CREATE TABLE rescue_key (
  organisation_id uuid PRIMARY KEY REFERENCES organisation (id),
  -- The thumbprint (RFC 7638) of the public half.
  kid text NOT NULL,
  public_key jsonb NOT NULL,
  -- Sealed by the secrets of the server: whoever copies the database opens nothing with it.
  sealed_private_key text NOT NULL,
  made_at timestamptz NOT NULL
);
--> statement-breakpoint
ALTER TABLE rescue_key ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY tenant ON rescue_key USING (organisation_id = (SELECT current_tenant()));
