/** The activated login of a master or a branch. */
export interface Login {
  guid: string
  name: string
  email: string
}
