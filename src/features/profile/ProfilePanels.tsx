import { useId, useState, type ReactNode } from 'react'
import { useOffline } from '../../blocks/connectivity/useOffline.ts'
import type { Profile, SummaryMail } from '../../contract/profile.ts'
import { formatDay, formatInstant, formatMonth } from '../../domain/singaporeTime.ts'
import { WithCopy } from '../../ui/CopyButton.tsx'
import { Exact, Facts, Panel as NamedPanel, Split, Stack, Words, type Fact } from '../../ui/Panel.tsx'
import { isOrganisation, METHOD_NOTES, usableLogoUrl } from './organisationProfile.ts'

interface Props {
  profile: Profile
  asOf: Date | undefined
}

/** Shows the saved profile of the organisation and, for a master or branch, the contact of that login. */
export function ProfilePanels({ profile, asOf }: Props) {
  const isOwn = isOrganisation(profile)
  return (
    <Split>
      <Stack>
        {!isOwn && <Panel title="Contact" facts={contactFacts(profile)} />}
        <Panel
          title="Company"
          note={isOwn ? undefined : 'Kept by the main account'}
          facts={companyFacts(profile, asOf)}
        />
      </Stack>
      <Stack>
        <Panel title="Voucher verification method">
          <p className="font-strong">{profile.verification_method}</p>
          <p className="text-muted">{METHOD_NOTES[profile.verification_method]}</p>
        </Panel>
        <SummaryPanel {...profile.monthly_summary} />
        <Panel title="Login" facts={loginFacts(profile)} />
      </Stack>
    </Split>
  )
}

const NO_MAILS: SummaryMail[] = []

function SummaryPanel({ enabled, to, mails = NO_MAILS }: Profile['monthly_summary']) {
  const months = [...new Set(mails.map(({ month }) => month))]
  return (
    <Panel title="Monthly summary report emails">
      <p className="font-strong">{enabled ? 'On' : 'Off'}</p>
      {enabled && (
        <>
          <p className="text-muted">Sent on the second day of each month to:</p>
          <ul className="mt-2" aria-label="Recipients">
            {to.map((address) => (
              <li key={address}>
                <Words>{address}</Words>
              </li>
            ))}
          </ul>
        </>
      )}
      {months.map((month) => (
        <SentSummaries key={month} month={month} mails={mails.filter((mail) => mail.month === month)} />
      ))}
    </Panel>
  )
}

/** Shows for each recipient whether the email about one month was sent. */
function SentSummaries({ month, mails }: { month: string; mails: readonly SummaryMail[] }) {
  const id = useId()
  return (
    <>
      <h3 className="mt-4" id={id}>
        {`Summary of ${formatMonth(month)}`}
      </h3>
      <ul aria-labelledby={id}>
        {mails.map(({ to, state, at }) => (
          <li key={`${to} ${at}`} className="wrap-anywhere">
            <span>{`${to}: `}</span>
            <span className={state === 'failed' ? 'text-danger-text' : 'text-muted'}>
              {MAIL_STATES[state](new Date(at))}
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}

const MAIL_STATES: Record<SummaryMail['state'], (at: Date) => string> = {
  sent: (at) => `sent ${formatInstant(at)}`,
  waiting: (at) => `waiting since ${formatInstant(at)}`,
  failed: (at) => `failed, the mail server refused it (${formatInstant(at)})`,
}

interface PanelProps {
  title: string
  note?: string | undefined
  facts?: readonly Fact[]
  children?: ReactNode
}

const Panel = ({ title, note, facts, children }: PanelProps) => (
  <NamedPanel title={title} action={note !== undefined && <span className="text-muted">{note}</span>}>
    {facts ? <Facts facts={facts} /> : <div className="p-4">{children}</div>}
  </NamedPanel>
)

function companyFacts(profile: Profile, asOf: Date | undefined): Fact[] {
  return [
    ['Company name', <Exact key="name">{profile.company_name}</Exact>],
    ['Merchant ID', copyable('merchant ID', profile.merchant_id)],
    ['Registration number', orNotGiven(profile.registration_number)],
    ['Address', orNotGiven(profile.address)],
    ...(isOrganisation(profile)
      ? ([
          ...contactPerson(profile),
          ['Contact email', copyable('contact email', profile.contact_email)],
        ] satisfies Fact[])
      : []),
    ['Company logo', <CompanyLogo key={profile.logo_url} url={profile.logo_url} asOf={asOf} />],
  ]
}

const contactFacts = (profile: Profile): Fact[] => [
  ['Name', <Exact key="name">{profile.name}</Exact>],
  ...contactPerson(profile),
]

const contactPerson = (profile: Profile): Fact[] => [
  ['Contact person', orNotGiven(profile.contact_name)],
  ['Contact number', orNotGiven(profile.contact_number)],
]

const loginFacts = ({ login_email, password_changed_at }: Profile): Fact[] => [
  ['Email', copyable('login email', login_email)],
  ['Password changed', formatDay(new Date(password_changed_at))],
]

const copyable = (what: string, value: string | null) =>
  value === null ? orNotGiven(value) : <WithCopy what={what}>{value}</WithCopy>

const orNotGiven = (value: string | null) =>
  value === null ? <span className="text-muted">Not given</span> : <Exact>{value}</Exact>

/** The saved logo. The device does not store the picture, and the picture's address is valid for only a few minutes. */
function CompanyLogo({ url, asOf }: { url: string | null; asOf: Date | undefined }) {
  const isOffline = useOffline()
  const [address] = useState(() => usableLogoUrl(url, asOf))
  const [isBroken, setBroken] = useState(false)
  if (url === null) return <span className="text-muted">No logo</span>
  if (address && !isBroken) {
    return (
      // On white in the dark theme too, because a logo is made for paper.
      <img
        className="max-h-[50px] max-w-[100px] rounded-1 border border-border bg-verdict-text"
        src={address}
        alt="Company logo"
        onError={() => setBroken(true)}
      />
    )
  }
  return <span className="text-muted">{isOffline ? 'Shown when there is a connection' : 'Not loaded'}</span>
}
