import { PlainFrame } from '../../blocks/page/PlainFrame.tsx'
import { Button } from '../../ui/Button.tsx'

/** Nothing can be reviewed here: why, and what to do. */
export function ReviewUnavailable({ title, text, onRetry }: { title: string; text: string; onRetry?: () => void }) {
  return (
    <PlainFrame>
      <div className="mx-auto grid max-w-form gap-4 px-4 py-12" role="alert">
        <h1>{title}</h1>
        <p className="muted text-base">{text}</p>
        {onRetry && (
          <div className="actions">
            <Button icon="refresh" onClick={onRetry}>
              Try again
            </Button>
          </div>
        )}
      </div>
    </PlainFrame>
  )
}
