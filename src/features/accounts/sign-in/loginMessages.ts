/** For a browser that was not told the server's own words (rule 4.5). */
export const MULTI_LOGIN_MESSAGE = 'This account logged in on another device. Only one active session is allowed.'
