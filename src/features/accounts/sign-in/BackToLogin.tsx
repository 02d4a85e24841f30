import { Link } from '@tanstack/react-router'

/** `onLeave` drops what the step had under way. */
export function BackToLogin({ onLeave }: { onLeave?: () => void }) {
  return (
    <p>
      <Link to="/login" search={({ as, redirect }) => ({ as, redirect })} onClick={onLeave}>
        Back to login
      </Link>
    </p>
  )
}
