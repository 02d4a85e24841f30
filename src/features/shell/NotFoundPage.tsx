import { Link } from '@tanstack/react-router'
import { PlainFrame } from '../../blocks/page/PlainFrame.tsx'
import { usePageTitle } from '../../blocks/page/usePageTitle.ts'
import { Actions, buttonClass } from '../../ui/Button.tsx'
import { DRAWINGS } from '../../ui/drawings.tsx'

export function NotFoundPage() {
  usePageTitle('Page Not Found')
  return (
    <PlainFrame centred>
      <div className="mb-[12vh] grid justify-items-center gap-2 text-center">
        {DRAWINGS.notFound}
        <span className="font-strong text-muted">404</span>
        <h1>Page Not Found</h1>
        <p className="text-muted text-base">We are sorry, the page you are looking for cannot be found.</p>
        <p className="text-muted text-base">Or your account may not open it.</p>
        <Actions className="mt-4">
          <Link to="/" className={buttonClass({ variant: 'primary' })}>
            Go to the start page
          </Link>
        </Actions>
      </div>
    </PlainFrame>
  )
}
