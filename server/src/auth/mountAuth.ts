import type { FastifyInstance } from 'fastify'
import type { LinkedAction } from '../custody/pages/linkedAction.ts'
import { serveLinkedAction } from '../custody/pages/linkedAction.ts'
import { createConfiguredFarcasterLogins } from '../custody/identity/createConfiguredFarcasterLogins.ts'
import {
  openKeyServiceFoundation,
  runKeyService,
  type KeyService,
  type KeyServiceFoundation,
  type KeyServiceOptions,
} from '../custody/keyService.ts'
import { createAuthenticator, type Authenticator } from '../custody/requests/authenticator.ts'
import { createRiskChecks } from '../custody/requests/riskChecks.ts'
import { sessionEnded } from '../custody/requests/verifyAccessToken.ts'
import { createPolicyRecords } from '../custody/policies/policyRecords.ts'
import { authMigrations } from '../schema/authMigrations.ts'
import { accountEndpoints } from './account/accountEndpoints.ts'
import { authPolicyEndpoints } from './account/authPolicyEndpoints.ts'
import { createDeletionReminders } from './account/deletionReminders.ts'
import { createDeletions, type Deletions } from './account/deletions.ts'
import { createEmailChanges, type EmailChanges } from './account/emailChanges.ts'
import { emailEndpoints } from './account/emailEndpoints.ts'
import { passkeyEndpoints } from './account/passkeyEndpoints.ts'
import { createPasskeys } from '../custody/passkeys/passkeys.ts'
import { createPasswordOprf } from './account/passwordOprf.ts'
import { createPendingPolicies, type PendingPolicies } from './account/pendingPolicies.ts'
import { stepUpEndpoints } from './account/stepUpEndpoints.ts'
import { createAuthShares } from './keyShares/authShares.ts'
import { createEnrolmentNotices, type EnrolmentNotices } from './keyShares/enrolmentNotices.ts'
import { shareEndpoints } from './keyShares/shareEndpoints.ts'
import { createShareProofs } from './keyShares/shareProofs.ts'
import { walletProofEndpoint } from './keyShares/walletProofEndpoint.ts'
import { createCodes } from './login/codes.ts'
import { loginEndpoints } from './login/loginEndpoints.ts'
import { createUsers, type Users } from './login/users.ts'
import { userStateEndpoint } from './login/userStateEndpoint.ts'
import { openAccessTokens, type AccessTokens } from './sessions/accessTokens.ts'
import { mountEndpoints } from '../kit/http/defineEndpoint.ts'
import { rateLimitByIp } from '../custody/requests/rateLimitByIp.ts'
import { deviceSessionEndpoints } from './sessions/deviceSessionEndpoints.ts'
import { sessionEndpoints, sessionStateEndpoint } from './sessions/sessionEndpoints.ts'
import { createAuthSessions, type Sessions } from './sessions/sessions.ts'
import { createIdentities } from './social/identities.ts'
import { mountSocials } from './social/mountSocials.ts'

/** The options of the auth service. */
export type AuthOptions = KeyServiceOptions

/** The running auth service. */
export type Auth = KeyService & {
  /** The public keys that verify access tokens, for other processes. */
  readonly publicKeys: AccessTokens['publicKeys']
  /** The same keys for this process. It follows key rotations. */
  readonly keySet: AccessTokens['keySet']
  readonly isSessionActive: Sessions['isActive']
  readonly hasUser: Users['exists']
}

const revertPath = '/auth/v1/email/revert'
const cancelPath = '/auth/v1/deletion/kept'
const removePath = '/auth/v1/devices/removed'
/** The share store checks the session of each of its requests, for all users from one address. */
const stateRate = { perSecond: 200, burst: 1_000 }
const policyPath = '/auth/v1/policy/kept'

/** Mounts the auth service: logins, sessions, and the auth shares of wallet keys. */
export async function mountAuth(app: FastifyInstance, options: AuthOptions): Promise<Auth> {
  const { projects, trustedProxies, url } = options
  const foundation = await openKeyServiceFoundation(app, { name: 'auth', migrations: authMigrations }, options)
  const service = await createAuthService(foundation, options)
  const { tokens, users, shares, oprf, passkeys, deletions, changes, codes, sessions } = service
  const notices = createEnrolmentNotices({ ...service, trustedProxies, page: () => url() + removePath })
  const pendingPolicies = createPendingPolicies({ ...service, trustedProxies, page: () => url() + policyPath })
  const cancelPage = () => url() + cancelPath
  const reminders = createDeletionReminders({ ...service, cancelPage })
  const dependencies = {
    ...service,
    notices,
    pendingPolicies,
    projects,
    trustedProxies,
    cancelPage,
  }
  serveLinkedAction(app, revertAction(changes))
  serveLinkedAction(app, cancelAction(deletions))
  serveLinkedAction(app, removeAction(notices))
  serveLinkedAction(app, keepPolicyAction(pendingPolicies))
  const socials = mountSocials(app, { ...options, ...service, socials: options.socials ?? {} })
  const stateEndpoints = [sessionStateEndpoint(service), userStateEndpoint(service)]
  mountEndpoints(app, stateEndpoints, rateLimitByIp('auth/sessions', options, stateRate))
  const running = runKeyService(app, options, foundation, {
    service: 'auth',
    endpoints: [
      ...loginEndpoints(dependencies),
      ...sessionEndpoints(dependencies),
      ...deviceSessionEndpoints(dependencies),
      ...shareEndpoints(dependencies),
      walletProofEndpoint(dependencies),
      ...emailEndpoints(dependencies),
      ...stepUpEndpoints(dependencies),
      ...passkeyEndpoints(dependencies),
      ...accountEndpoints(dependencies),
      ...authPolicyEndpoints(dependencies),
    ],
    sweep: () =>
      Promise.all([
        shares.sweep(),
        oprf.sweep(),
        passkeys.sweep(),
        deletions.sweep(),
        reminders.sweep(),
        changes.sweep(),
        socials.sweep(),
        codes.sweep(),
        sessions.sweep(),
        tokens.rotate(),
      ]),
  })
  const { publicKeys, keySet } = tokens
  return { ...running, publicKeys, keySet, isSessionActive: sessions.isActive, hasUser: users.exists }
}

async function createAuthService(foundation: KeyServiceFoundation, options: AuthOptions) {
  const { clock, proofs } = foundation
  const { url, mailLimits: limits, farcaster, frameUrl } = options
  const tokens = await openAccessTokens({ ...foundation, issuer: 'auth' })
  const sessions = createAuthSessions({ ...foundation, tokens })
  const authenticator: Authenticator = createAuthenticator({
    proofs,
    url,
    // An access token outlives its session by minutes. This service knows its sessions and rejects such a token. [K-08]
    async verifyToken(token, key) {
      const claims = await tokens.verify(token, key)
      if (await sessions.isActive(claims.session)) return claims
      throw sessionEnded()
    },
  })
  const users = createUsers(foundation)
  const codes = createCodes({ ...foundation, limits, devices: users })
  const page = () => url() + revertPath
  return {
    ...foundation,
    tokens,
    sessions,
    authenticator,
    users,
    codes,
    changes: createEmailChanges({ ...foundation, codes, users, sessions, page }),
    shares: createAuthShares(foundation),
    shareProofs: createShareProofs(foundation),
    identities: createIdentities(foundation),
    riskChecks: createRiskChecks({
      clock,
      devices: users,
      hasProvenPasskey: ({ methods }) => methods.includes('passkey'),
    }),
    oprf: createPasswordOprf(foundation),
    passkeys: createPasskeys({
      ...foundation,
      frameUrl,
      tables: { passkeys: 'auth_passkey', challenges: 'auth_challenge' },
    }),
    deletions: createDeletions(foundation),
    farcasterLogins: createConfiguredFarcasterLogins('auth', { ...foundation, farcaster, frameUrl }),
    policies: createPolicyRecords({ ...foundation, table: 'auth_policy' }),
  }
}

function revertAction({ canRevert, revert }: EmailChanges): LinkedAction {
  return {
    path: revertPath,
    texts: ({ revertPage }) => revertPage,
    isValid: canRevert,
    perform: revert,
  }
}

function cancelAction({ canCancel, cancelByLink }: Deletions): LinkedAction {
  return {
    path: cancelPath,
    texts: ({ keepWalletPage }) => keepWalletPage,
    isValid: canCancel,
    perform: cancelByLink,
  }
}

function removeAction({ canRemove, remove }: EnrolmentNotices): LinkedAction {
  return {
    path: removePath,
    texts: ({ removeDevicePage }) => removeDevicePage,
    isValid: canRemove,
    perform: remove,
  }
}

function keepPolicyAction({ canStop, stop }: PendingPolicies): LinkedAction {
  return {
    path: policyPath,
    texts: ({ policyStopPage }) => policyStopPage,
    isValid: canStop,
    perform: stop,
  }
}
