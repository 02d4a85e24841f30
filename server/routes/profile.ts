import type { Profile, ProfileType } from '../../src/contract/profile.ts'
import type { Deps } from '../Deps.ts'
import { asActorWithId } from '../http/handlers.ts'
import type { RoutesOf } from '../http/Route.ts'
import type { Actor } from '../services/accounts/sessions/Actor.ts'
import { editAccountProfile, editOrganisationProfile, type ProfilePair } from '../services/profile/editProfile.ts'
import { readProfileWithMails } from '../services/profile/readProfile.ts'

export const profileRoutes = (deps: Deps): RoutesOf<'profile'> => {
  const edit = <Body>(type: ProfileType, service: Edit<Body>) =>
    asActorWithId(deps, (_deps, actor, id, body: Body) => service(deps, actor, { type, id }, body))
  return {
    'profile.get': asActorWithId(deps, readProfileWithMails),
    'profile.editMain': edit('main', editOrganisationProfile),
    'profile.editAdhoc': edit('adhoc', editOrganisationProfile),
    'profile.editMaster': edit('master', editAccountProfile),
    'profile.editBranch': edit('branch', editAccountProfile),
  }
}

type Edit<Body> = (deps: Deps, actor: Actor, pair: ProfilePair, body: Body) => Promise<Profile>
