import type * as v from 'valibot'
import { LoginStep, publicKey } from '../../src/contract/accounts/auth.ts'
import { PowChallenge } from '../../src/contract/accounts/captcha.ts'
import { User } from '../../src/contract/accounts/user.ts'
import { ActivityRow } from '../../src/contract/activity/activity.ts'
import { Branch, branchCode, BranchRow, BusinessInformation } from '../../src/contract/branches.ts'
import { Device, DeviceRow } from '../../src/contract/devices/devices.ts'
import type { EndpointName } from '../../src/contract/endpoints.ts'
import { FieldIssue } from '../../src/contract/envelope.ts'
import { day, email } from '../../src/contract/fieldSchemas.ts'
import { Master, MasterRow } from '../../src/contract/masters.ts'
import { Brand } from '../../src/contract/merchants/application.ts'
import { branchPin, uploadKey } from '../../src/contract/merchants/merchantFields.ts'
import { OperatingHours } from '../../src/contract/merchants/onboarding.ts'
import {
  accountNumber,
  bankBranchCode,
  bankCode,
  phone,
  postalCode,
  uen,
} from '../../src/contract/merchants/singaporeNumbers.ts'
import { Statement } from '../../src/contract/payments.ts'
import { PosUser, PosUserRow } from '../../src/contract/posUsers.ts'
import { Profile } from '../../src/contract/profile.ts'
import { AcceptedRow, AllowanceRules } from '../../src/contract/redemptions/allowance.ts'
import { BranchAllowance } from '../../src/contract/redemptions/allowanceEndpoints.ts'
import { Till } from '../../src/contract/redemptions/counter.ts'
import { Hold, HoldRequest, holdSecret } from '../../src/contract/redemptions/hold.ts'
import { Receipt, VerifiedVoucher } from '../../src/contract/redemptions/redeem.ts'
import { SyncOutcome, SyncRow } from '../../src/contract/redemptions/sync.ts'
import { ReportRequest } from '../../src/contract/reports/report.ts'
import { ReportPreview } from '../../src/contract/reports/reportPreview.ts'
import { revision } from '../../src/contract/tables/resourceEndpoints.ts'
import { Option } from '../../src/contract/tables/tableQuery.ts'
import { presign } from '../../src/contract/uploads.ts'
import { serial, Voucher, VoucherEvent, VoucherRow } from '../../src/contract/vouchers.ts'
import {
  authCode,
  cents,
  encryptedPassword,
  enrolmentCode,
  instant,
  month,
  opaqueToken,
  recoveryCode,
} from '../../src/contract/wireFields.ts'

// The texts that the OpenAPI documents add to the schemas. They are not in src/contract, because the browser would load them.

interface Note {
  description?: string
  format?: string
  pattern?: string
}

/**
 * The schemas with a name in the documents. A note describes a check or a transform of valibot, which has no JSON Schema. A pattern is the plain
 * form, even where the server also takes blanks and dashes.
 */
export const NAMED_SCHEMAS: Record<string, readonly [schema: v.GenericSchema, note?: Note]> = {
  Day: [day, { format: 'date', pattern: '^20', description: 'A day in Singapore, from 2000 to 2099.' }],
  Month: [month, { pattern: '^20\\d\\d-(0[1-9]|1[0-2])$', description: 'A month in Singapore.' }],
  Instant: [instant, { description: 'A time in UTC.' }],
  Cents: [cents, { description: 'Whole cents of a Singapore dollar.' }],
  Revision: [
    revision,
    { description: 'The state that an edit began from. A save over a later one gets STALE_REVISION.' },
  ],
  Email: [email, { format: 'email' }],
  Phone: [
    phone,
    {
      pattern: '^\\+?[\\d\\s()-]{8,}',
      description: 'A Singapore number of 8 digits, or + and the country code; an extension may follow.',
    },
  ],
  PostalCode: [postalCode, { pattern: '^(?!00)([0-7]\\d|8[0-2])\\d{4}$' }],
  Uen: [uen, { pattern: '^[A-Za-z\\d]{8,9}[A-Za-z]$', description: 'A number from ACRA with a correct check letter.' }],
  AccountNumber: [accountNumber, { pattern: '^\\d{6,20}$' }],
  BankCode: [bankCode, { pattern: '^\\d{4}$' }],
  BankBranchCode: [bankBranchCode, { pattern: '^\\d{3}$' }],
  BranchPin: [branchPin, { pattern: '^\\d{6}$' }],
  BranchCode: [branchCode],
  UploadKey: [uploadKey, { description: 'The `key` of an upload that was sent to its `url`.' }],
  AuthCode: [authCode, { pattern: '^\\d{6}$', description: 'The code that an authenticator app shows.' }],
  RecoveryCode: [recoveryCode, { description: '16 letters and digits; dashes, blanks and case do not matter.' }],
  EnrolmentCode: [enrolmentCode, { description: '8 letters and digits; dashes, blanks and case do not matter.' }],
  OpaqueToken: [opaqueToken],
  EncryptedPassword: [
    encryptedPassword,
    {
      description:
        'A compact JWE (alg RSA-OAEP-256, enc A256GCM, kid: the `key_id`) of the JSON `{"password", "nonce"}`, for the `public_key` of GET /auth/encryption_public_key. Each password needs a nonce of its own.',
    },
  ],
  EncryptionKey: [publicKey.answer, { description: '`public_key` is SPKI in PEM. `nonce` is good for one password.' }],
  Serial: [serial, { pattern: '^2\\d{12}$', description: 'An EAN-13, whose last digit checks the others.' }],
  HoldSecret: [holdSecret, { description: '32 random bytes in base64url. They give the right to settle the hold.' }],
  HoldRequest: [
    HoldRequest,
    {
      description:
        'The till chooses `id`, and keeps a secret whose SHA-256 it sends in hex. `id` is the idempotency key: the same request again gets the same answer, and never a second hold. `till` is a device that has a name at this branch.',
    },
  ],
  Hold: [Hold],
  VerifiedVoucher: [VerifiedVoucher],
  Receipt: [Receipt],
  AcceptedRow: [AcceptedRow, { description: 'A voucher that the till accepted without a check, under a grant.' }],
  SyncRow: [
    SyncRow,
    {
      description:
        'What happened to a hold: `redeemed` or `cancelled`, `voided` to take a redemption back, or `asking` for its state. A redemption needs `tapped_at`, by the clock of the device.',
    },
  ],
  SyncOutcome: [
    SyncOutcome,
    {
      description:
        'The state after the row was judged; the row may have asked for another state. `later`: the row was not judged, send it again.',
    },
  ],
  LoginStep: [
    LoginStep,
    { description: 'A complete login, or the next challenge, whose `session` is good for ten minutes.' },
  ],
  User: [User],
  Option: [Option],
  FieldIssue: [FieldIssue],
  PowChallenge: [PowChallenge],
  Presigned: [presign.answer, { description: 'PUT the file to `url`, with these `headers` and without a token.' }],
  OperatingHours: [
    OperatingHours,
    { description: 'Singapore time; `null` is a closed day, and one day must be open.' },
  ],
  BusinessInformation: [BusinessInformation],
  Brand: [Brand],
  VoucherRow: [VoucherRow],
  VoucherEvent: [VoucherEvent],
  Voucher: [Voucher],
  ActivityRow: [ActivityRow],
  MasterRow: [MasterRow],
  Master: [Master],
  BranchRow: [BranchRow],
  Branch: [Branch],
  PosUserRow: [PosUserRow],
  PosUser: [PosUser],
  Profile: [Profile],
  Till: [Till],
  DeviceRow: [DeviceRow],
  Device: [Device],
  AllowanceRules: [AllowanceRules],
  BranchAllowance: [BranchAllowance],
  ReportRequest: [ReportRequest],
  ReportPreview: [ReportPreview],
  Statement: [Statement, { description: 'It never changes, except that its payment is added once.' }],
}

/** The facts that a caller must know besides the summary and the permission. */
export const ENDPOINT_NOTES: Partial<Record<EndpointName, string>> = {
  'auth.publicKey': 'Ask for a key and a nonce before each password.',
  'auth.login': 'A complete login ends the earlier session, and sets the cookie that a refresh needs.',
  'auth.setNewPassword': 'Takes the `token` of a mailed link, or the `session` of the challenge NEW_PASSWORD.',
  'auth.initiateMfaSetup':
    'Takes the `session` of the challenge MFA_SETUP; or, with a live session, the password and a code of the earlier app.',
  'auth.verifyMfa': 'Answers the challenge MFA_CODE.',
  'auth.forgotPassword': 'The answer is the same for known and unknown accounts.',
  'account.refresh': 'A token lives for ten minutes. Send the last one, even expired, with the cookie of the login.',
  'account.logout': 'It also clears the cookie of the login.',
  'account.changePassword': 'All other sessions of the account end.',
  'account.renewRecoveryCodes': 'The earlier codes stop working.',
  'upload.presign': 'PUT the file to the `url` of the answer; then name its `key` in the form.',
  'upload.presignPublic': 'PUT the file to the `url` of the answer; then name its `key` in the application.',
  'signup.apply': 'The `id` of the application is its idempotency key.',
  'voucher.verify':
    'Begins a redemption. Then send the hold to /till/sync, as `redeemed`, within ten minutes: the voucher counts once the outcome has a receipt.',
  'voucher.release': '`since` identifies the hold, so that a newer one is not ended.',
  'hold.settle': 'For a till that is lost or broken.',
  'till.name': 'A device needs a name at its branch before it can hold a voucher. It chooses its own id.',
  'till.enrol': 'The answer sets the cookie that identifies the device from then on.',
  'till.sync': 'The secret of a hold gives the right to settle it. A row may be sent again at any time.',
  'till.allowance': 'The newest answer takes the place of the till’s grant; `null` removes it.',
  'resources.download': 'Each download is logged.',
}
