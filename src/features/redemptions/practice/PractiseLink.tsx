import { Link } from '@tanstack/react-router'

/** Links to practice. The link is tall enough for a finger. */
export const PractiseLink = ({ className = '-my-[0.875rem] text-sm' }: { className?: string }) => (
  <Link to="/practise" className={`inline-flex min-h-control items-center justify-self-start ${className}`}>
    Practise
  </Link>
)
