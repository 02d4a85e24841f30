/** The token of an Authorization header; nothing for any other scheme. */
export const bearerToken = (header: string | undefined): string | undefined => /^Bearer (\S+)$/i.exec(header ?? '')?.[1]
