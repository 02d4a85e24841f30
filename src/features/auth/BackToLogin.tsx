import { Link } from '@tanstack/react-router'

export function BackToLogin() {
  return (
    <p>
      <Link to="/login" search={({ redirect }) => ({ redirect })}>
        Back to login
      </Link>
    </p>
  )
}
