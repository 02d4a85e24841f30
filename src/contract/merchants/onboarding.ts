import * as v from 'valibot'
import { ACCOUNT_STATUSES } from '../accounts/permissions.ts'
import { endpoint } from '../endpoint.ts'
import { email, guid, text } from '../fieldSchemas.ts'
import { LIMITS } from '../limits.ts'
import { count, instant, listOf, MESSAGES, quantity } from '../wireFields.ts'
import { uploadKey } from './merchantFields.ts'
import { accountNumber, bankBranchCode, bankCode, phone, uen } from './singaporeNumbers.ts'

const timeOfDay = v.pipe(
  v.string(MESSAGES.required),
  v.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 08:30'),
)

/** A day that is open to its last minute closes at 24:00. */
const closingTime = v.pipe(
  v.string(MESSAGES.required),
  v.regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, 'must be a time such as 08:30'),
)

/**
 * Singapore time; `null` is a closed day. A closing time before the opening time is on the next day, and 00:00 to 24:00 is the whole day. The break
 * is for a kitchen that closes in the afternoon.
 */
const dayHours = v.nullable(
  v.pipe(
    v.strictObject({
      opens: timeOfDay,
      closes: closingTime,
      break: v.optional(v.strictObject({ from: timeOfDay, to: timeOfDay })),
    }),
    v.forward(
      v.partialCheck(
        [['opens'], ['closes']],
        ({ opens, closes }) => opens !== closes,
        'must not be the opening time. The whole day is 00:00 to 24:00.',
      ),
      ['closes'],
    ),
    v.forward(
      v.partialCheck([['opens'], ['closes'], ['break']], isBreakWithin, 'must be between opening and closing'),
      ['break', 'to'],
    ),
  ),
)

interface Hours {
  opens: string
  closes: string
  break?: { from: string; to: string } | undefined
}

function isBreakWithin({ opens, closes, break: pause }: Hours): boolean {
  if (!pause) return true
  const sinceOpening = (time: string) => (minutesOf(time) - minutesOf(opens) + MINUTES_PER_DAY) % MINUTES_PER_DAY
  const [start, end] = [sinceOpening(pause.from), sinceOpening(pause.to)]
  return 0 < start && start < end && end < (sinceOpening(closes) || MINUTES_PER_DAY)
}

const MINUTES_PER_DAY = 24 * 60

const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

/** Operating hours by weekday (rule 5.6). At least one day is open. */
export const OperatingHours = v.pipe(
  v.strictObject({
    Monday: dayHours,
    Tuesday: dayHours,
    Wednesday: dayHours,
    Thursday: dayHours,
    Friday: dayHours,
    Saturday: dayHours,
    Sunday: dayHours,
  }),
  v.check((week) => Object.values(week).some((hours) => hours !== null), 'must have at least one open day'),
)

const PrimaryContact = v.strictObject({
  name: text(LIMITS.nameLength),
  designation: text(LIMITS.nameLength),
  contact_number: phone,
  email,
})

const FinancialContact = v.strictObject({ name: text(LIMITS.nameLength), email })

const BankAccount = v.strictObject({
  account_name: v.pipe(text(LIMITS.nameLength), v.minLength(3, MESSAGES.min3)),
  account_number: accountNumber,
  bank_name: text(LIMITS.nameLength),
  bank_code: bankCode,
  branch_code: bankBranchCode,
})

/** The form of the onboarding (rule 5.6). */
export const Onboarding = v.strictObject({
  organisation_name: v.pipe(text(LIMITS.nameLength), v.minLength(3, MESSAGES.min3)),
  uen,
  /** Guids from the category list. */
  categories: v.pipe(listOf(guid, LIMITS.categories), v.minLength(1, MESSAGES.required)),
  operating_hours: OperatingHours,
  branches_in_singapore: quantity,
  pos_terminals: quantity,
  primary_contact: PrimaryContact,
  financial_contact: FinancialContact,
  bank_account: BankAccount,
  /** The key of an upload. */
  merchant_agreement: uploadKey,
})

/** The organisation's latest submission, and the result of its review. */
export const OnboardingRecord = v.object({
  organisation_guid: guid,
  status: v.picklist(ACCOUNT_STATUSES),
  /** Null before the first submission, when only the application is known. */
  onboarding: v.nullable(v.object({ ...Onboarding.entries })),
  /** For the first visit: the name from the application. */
  organisation_name: v.string(),
  submitted_at: v.nullable(instant),
  rejected_reason: v.nullable(v.string()),
  merchant_agreement: v.nullable(v.object({ filename: v.string(), size: count, pages: v.nullable(count) })),
})

/** Returns the organisation of a main account; any other id gets 404. */
export const readOnboarding = endpoint({
  method: 'GET',
  path: '/merchant/onboarding/get/:id',
  access: 'session',
  summary: "My organisation's submission and the result of its review",
  params: v.strictObject({ id: guid }),
  answer: OnboardingRecord,
})

/**
 * Moves the organisation from Pending Activation or Authorisation Rejected to Pending Authorisation (rule 5.7). Any other status gets INVALID_STATE.
 * The same body sent again while the submission waits, as after a lost answer, gets the same answer. The agreement of a rejected submission can be
 * sent again.
 */
export const submitOnboarding = endpoint({
  method: 'POST',
  path: '/merchant/onboarding',
  access: 'session',
  summary: 'Submit the onboarding of my organisation for review',
  body: Onboarding,
  slow: true,
  answer: v.object({ status: v.picklist(ACCOUNT_STATUSES) }),
  errors: ['INVALID_STATE', 'INVALID_PDF', 'UPLOAD_UNKNOWN'],
})

export type OperatingHours = v.InferOutput<typeof OperatingHours>

export type Onboarding = v.InferOutput<typeof Onboarding>

export type OnboardingRecord = v.InferOutput<typeof OnboardingRecord>

/**
 * Mails a new activation link to an account of my scope that was never activated; at most three an hour (AUT-28). The earlier link stops working. The
 * id is the account's guid.
 */
export const resendInvitation = endpoint({
  method: 'PUT',
  path: '/merchant/invitation/resend/:id',
  access: { feature: 'branches', action: 'edit' },
  summary: 'Mail the activation link of an account again',
  params: v.strictObject({ id: guid }),
  answer: v.object({ sent: v.literal(true) }),
  errors: ['ALREADY_ACTIVE', 'ACCOUNT_INACTIVE', 'TOO_MANY_ATTEMPTS'],
})
