-- A second wall between organisations (decision 0040), under the scope that every query carries. Policies do not bind the owner of
-- a table, as whom the portal migrates, signs people in and works for everybody: a call of a tenant is run as another role
-- (server/db/tenantRole.ts), which sees the rows of one organisation, and none before it was told which.
CREATE FUNCTION current_tenant() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE
  RETURN nullif(current_setting('portal.organisation', true), '')::uuid;
--> statement-breakpoint
-- As a subquery it is asked once a query, and stays a plain comparison that finds its index.
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY[
    'branch', 'app_user', 'redemption', 'ended_hold', 'monthly_summary', 'upload', 'application', 'onboarding', 'review', 'activity',
    'saved_view'
  ] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY tenant ON %I USING (organisation_id = (SELECT current_tenant()))', name);
  END LOOP;
END
$$;
--> statement-breakpoint
ALTER TABLE organisation ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY tenant ON organisation USING (id = (SELECT current_tenant()));
--> statement-breakpoint
-- What belongs to a person is of whoever sees the person: app_user has the policy above in here, too.
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY[
    'session', 'password_history', 'password_link', 'sign_in_challenge', 'mfa', 'mfa_setup', 'recovery_code', 'sign_in',
    'known_device', 'report_slot', 'notice_read', 'import_row', 'resource_download', 'default_view'
  ] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY tenant ON %I USING (EXISTS (SELECT FROM app_user WHERE app_user.id = user_id))', name);
  END LOOP;
END
$$;
--> statement-breakpoint
ALTER TABLE till ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY tenant ON till USING (EXISTS (SELECT FROM branch WHERE branch.id = branch_id));
--> statement-breakpoint
-- A voucher that nobody has is money: a tenant sees those it holds or has redeemed, and those it has had, by its own ledger and its
-- own ended holds. Who asks by a serial asks as the portal. What it has had is asked by a function of the owner, which is cheap to
-- plan and only called for what is not the tenant's now: written out, it cost every page of the voucher table half its time again.
CREATE FUNCTION tenant_has_had(voucher uuid) RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE SECURITY DEFINER COST 1
  SET search_path = public, pg_temp
BEGIN ATOMIC
  SELECT EXISTS (SELECT FROM redemption WHERE voucher_id = tenant_has_had.voucher AND organisation_id = current_tenant())
    OR EXISTS (SELECT FROM ended_hold WHERE voucher_id = tenant_has_had.voucher AND organisation_id = current_tenant());
END;
--> statement-breakpoint
ALTER TABLE voucher ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY tenant ON voucher FOR SELECT USING (organisation_id = (SELECT current_tenant()) OR tenant_has_had(id));
--> statement-breakpoint
-- Its own it may let go, and after that it has had it. Making and taking vouchers is the portal's.
CREATE POLICY tenant_lets_go ON voucher FOR UPDATE
  USING (organisation_id = (SELECT current_tenant()))
  WITH CHECK (organisation_id IS NULL OR organisation_id = (SELECT current_tenant()));
