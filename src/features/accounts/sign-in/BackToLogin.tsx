import { Link } from '@tanstack/react-router'

/** `onLeave` ends what the step has under way. */
export function BackToLogin({ onLeave }: { onLeave?: () => void }) {
  return (
    <p>
      <Link to="/login" search={({ as, redirect }) => ({ as, redirect })} onClick={onLeave}>
        Back to login
      </Link>
    </p>
  )
}
