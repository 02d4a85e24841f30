/** The portal's mark: a ticket whose tear is a tick. `public/favicon.svg` and the icons show the same drawing. */
export const Mark = ({ className = 'size-[1.75rem]' }: { className?: string }) => (
  <svg className={`flex-none forced-color-adjust-none ${className}`} viewBox="0 0 32 32" aria-hidden="true">
    <rect className="fill-mark" width="32" height="32" rx="7" />
    <path
      className="fill-stub"
      d="M6.6 5.9 24.1 4.3a2.2 2.2 0 0 1 2.3 2l.1 1.3-11 12-5.7-4.8-4.5 1.5-.7-8.1a2.2 2.2 0 0 1 2-2.3Z"
    />
    <path
      className="fill-mark-body"
      d="M5 19.3 9 18.200l6 6.1 12-10.500v11a2.2 2.2 0 0 1-2.2 2.200H7.200A2.2 2.2 0 0 1 5 24.800Z"
    />
  </svg>
)
