import type { MerchantApplication } from '../../../contract/merchants/application.ts'
import type { Review } from '../../../contract/merchants/review.ts'
import { applicationFacts, brandFacts, onboardingFacts } from '../../../domain/merchants/submissionFacts.ts'
import { formatInstant } from '../../../domain/singaporeTime.ts'
import { Icon } from '../../../ui/Icon.tsx'
import { ICONS } from '../../../ui/icons.tsx'
import { Facts, Item, Panel, Stack, Words, type Fact } from '../../../ui/Panel.tsx'
import { DecisionForm } from './DecisionForm.tsx'
import type { ReviewDeskProps } from './useReview.ts'

/** Shown beside the submission: its documents, the decision, and earlier decisions. */
export function ReviewAside(props: ReviewDeskProps) {
  const { review } = props
  return (
    <aside className="grid content-start gap-6 wide:sticky wide:top-[calc(var(--header)+var(--space-6))]">
      {review.documents.length > 0 && <ReviewDocuments documents={review.documents} />}
      {review.decided ? (
        <Panel title="Decision">
          <Decided decision={review.decided} />
        </Panel>
      ) : (
        <DecisionForm {...props} />
      )}
      {review.earlier_decisions.length > 0 && <EarlierDecisions decisions={review.earlier_decisions} />}
    </aside>
  )
}

type Decision = NonNullable<Review['decided']>

function Decided({ decision: { decision, at, reason } }: { decision: Decision }) {
  return (
    <Stack padded role="status">
      <p className="font-strong">
        {`${decision === 'approve' ? 'Approved' : 'Rejected'} on ${formatInstant(new Date(at))}`}
      </p>
      {reason && (
        <p>
          <Words>{reason}</Words>
        </p>
      )}
      <p className="text-muted">The merchant was told by email.</p>
    </Stack>
  )
}

function EarlierDecisions({ decisions }: { decisions: Decision[] }) {
  return (
    <Panel title="Earlier decisions">
      <ul>
        {decisions.map(({ at, decision, reason }) => (
          <Item key={at} look="words">
            <b className="font-strong">{decision === 'approve' ? 'Approved' : 'Rejected'}</b>
            <p className="text-muted">{formatInstant(new Date(at))}</p>
            {reason && (
              <p className="text-muted">
                <Words>{reason}</Words>
              </p>
            )}
          </Item>
        ))}
      </ul>
    </Panel>
  )
}

/** Lists the uploaded documents. Each opens in a new tab that has no access to this tab. */
function ReviewDocuments({ documents }: { documents: Review['documents'] }) {
  return (
    <Panel title="Documents">
      <ul>
        {documents.map(({ title, description, url }, index) => (
          <Item
            // Two brands may have a logo of the same title and size.
            // oxlint-disable-next-line react/no-array-index-key
            key={index}
            mark={<Icon drawing={description.startsWith('PDF') ? ICONS.file : ICONS.image} />}
            action={
              <a href={url} target="_blank" rel="noopener noreferrer" aria-label={`Open ${title} in a new tab`}>
                Open
              </a>
            }
          >
            <b className="font-strong">{title}</b>
            <p className="text-muted">{description}</p>
          </Item>
        ))}
      </ul>
    </Panel>
  )
}

/** Shows everything that was submitted, in the order of the forms. */
export function ReviewFacts({ review }: { review: Review }) {
  const { application, onboarding, category_names } = review
  return (
    <>
      {onboarding && <OnboardingPanels facts={onboardingFacts(onboarding, category_names)} />}
      {application && <ApplicationPanels application={application} />}
    </>
  )
}

function OnboardingPanels({ facts }: { facts: ReturnType<typeof onboardingFacts> }) {
  return (
    <>
      <FactsPanel
        title="Organisation"
        facts={[...facts.organisation, ...facts.product, ...facts.hours, ...facts.terminals]}
      />
      <FactsPanel title="Contacts and bank account" facts={[...facts.contacts, ...facts.bank]} />
    </>
  )
}

function ApplicationPanels({ application }: { application: MerchantApplication }) {
  return (
    <>
      <FactsPanel title="Application" facts={applicationFacts(application, websiteLink)} />
      {application.brands.map((brand) => (
        <FactsPanel key={brand.contact_email} title={`Brand: ${brand.name}`} facts={brandFacts(brand, websiteLink)} />
      ))}
    </>
  )
}

const FactsPanel = ({ title, facts }: { title: string; facts: readonly Fact[] }) => (
  <Panel title={title}>
    <Facts facts={facts} />
  </Panel>
)

const websiteLink = (address: string) => <WebLink address={address} />

/** Shows a merchant's website as the merchant typed it. Only http and https become links, and they get no referrer (WEB-03). */
function WebLink({ address }: { address: string }) {
  if (!/^https?:\/\//i.test(address)) return <Words>{address}</Words>
  return (
    <a href={address} target="_blank" rel="noopener noreferrer">
      {address}
    </a>
  )
}
