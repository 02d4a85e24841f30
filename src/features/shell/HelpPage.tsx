import { Link } from '@tanstack/react-router'
import { useSnapshot } from 'valtio/react'
import { call } from '../../api/call.ts'
import { PlainFrame } from '../../blocks/page/PlainFrame.tsx'
import { usePageTitle } from '../../blocks/page/usePageTitle.ts'
import { RecordRead } from '../../blocks/record/RecordRead.tsx'
import { support, type SupportContact } from '../../contract/system.ts'
import { homeOf } from '../../domain/gate.ts'
import { useCachedRead } from '../../offline/reads/useCachedRead.ts'
import { auth } from '../../state/auth.ts'
import { buttonClass } from '../../ui/Button.tsx'
import { WithCopy } from '../../ui/CopyButton.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { Page, PageHeader } from '../../ui/PageHeader.tsx'
import { Facts, Panel, Stack, type Fact } from '../../ui/Panel.tsx'

/** The help page, with or without a login: contacts and common questions. */
export function HelpPage() {
  usePageTitle('Help')
  const { user } = useSnapshot(auth)
  // The answer is the same for everyone on this device, so it needs no user's database.
  const read = useCachedRead(user?.guid ?? '', 'support', support.answer, (signal) => call(support, { signal }))
  return (
    <PlainFrame
      offlineNote="This page works without one."
      end={
        <Link to={homeOf(user ?? undefined)} className={buttonClass({ variant: 'quiet' })}>
          <Icon drawing={ICONS.left} />
          <span>{user ? 'Start page' : 'Login'}</span>
        </Link>
      }
    >
      <Page>
        <Stack>
          <PageHeader title="Help" note="Cashiers: ask your manager first. Branches: ask your main account." />
          <RecordRead read={read} what="The contact">
            {(contact) => (
              <Panel title="Contact us">
                <Facts facts={contactFacts(contact)} />
              </Panel>
            )}
          </RecordRead>
          <Panel title="Common questions">
            <Facts facts={[...(user?.type === 'POS User' ? [PRACTISE_LINK] : []), ...commonQuestions(user !== null)]} />
          </Panel>
        </Stack>
      </Page>
    </PlainFrame>
  )
}

const contactFacts = ({ email, phone }: SupportContact): Fact[] => [
  [
    'Email',
    <WithCopy key="email" what="the email address" href={`mailto:${email}`}>
      {email}
    </WithCopy>,
  ],
  [
    'Phone',
    phone === null ? (
      <span key="phone" className="text-muted">
        No phone number. Please write.
      </span>
    ) : (
      <WithCopy key="phone" what="the phone number" href={`tel:${phone.replaceAll(' ', '')}`}>
        {phone}
      </WithCopy>
    ),
  ],
  [
    'Please say',
    ['Your merchant ID and branch.', 'The receipt number, if it is about a voucher.', 'Never a password.'],
  ],
]

const PRACTISE_LINK: Fact = [
  'New at the counter',
  <Link key="practise" to="/practise" className="inline-flex min-h-control items-center">
    Practise at the counter
  </Link>,
]

const commonQuestions = (isLoggedIn: boolean): readonly Fact[] => [
  [
    'You forgot your password',
    <>
      {isLoggedIn ? (
        <span>Log out, then choose “Forgot password?” on the login page</span>
      ) : (
        <Link to="/login" search={{ step: 'forgot' }}>
          Set a new one by email
        </Link>
      )}
      <span>. A cashier asks the branch instead.</span>
    </>,
  ],
  ['A cashier forgot theirs', 'The branch opens Profile, then the POS user, then “Reset password”.'],
  ['Too many wrong passwords', 'Wait as long as the page says, 15 minutes at most.'],
  ['The authenticator app is lost', 'Log in with one of the recovery codes. Without one, contact us.'],
  [
    'No connection at the counter',
    'A voucher that was checked can be redeemed for ten minutes. It uploads automatically later. Other vouchers have to wait.',
  ],
  [
    'How to undo a redemption',
    'The same till voids it within five minutes: on the verdict, or later in My day. After that nobody can.',
  ],
  [
    'What a verdict means',
    <Link key="guidelines" to="/voucher-management-guidelines">
      Voucher management guidelines
    </Link>,
  ],
]
