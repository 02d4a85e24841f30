-- Where no merchant has a number yet, the first is 101, so that the ID itself begins a branch PIN (rule 7.5).
DO $$
BEGIN
  IF NOT (SELECT is_called FROM merchant_no) AND NOT EXISTS (SELECT FROM organisation) THEN
    ALTER SEQUENCE merchant_no RESTART 101;
  END IF;
END
$$;
