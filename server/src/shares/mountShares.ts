import type { FastifyInstance } from 'fastify'
import type { JWTVerifyGetKey } from 'jose'
import { createSocialClients } from '../custody/identity/socialClient.ts'
import { createConfiguredFarcasterLogins } from '../custody/identity/createConfiguredFarcasterLogins.ts'
import {
  openKeyServiceFoundation,
  runKeyService,
  type KeyService,
  type KeyServiceFoundation,
  type KeyServiceOptions,
} from '../custody/keyService.ts'
import { createKeyedHash } from '../custody/keyedHash.ts'
import { createPasskeys } from '../custody/passkeys/passkeys.ts'
import { createAuthenticator } from '../custody/requests/authenticator.ts'
import type { IsSessionActive } from '../custody/requests/remoteSessions.ts'
import type { HasUser } from '../custody/requests/remoteUsers.ts'
import { sessionEnded, verifyAccessToken } from '../custody/requests/verifyAccessToken.ts'
import { createPolicyRecords } from '../custody/policies/policyRecords.ts'
import { shareMigrations } from '../schema/shareMigrations.ts'
import { contactEndpoints, contactStopPath, serveContactStopPage } from './account/contactEndpoints.ts'
import { shareAccountEndpoints } from './account/shareAccountEndpoints.ts'
import { policyRequestEndpoints } from './policies/policyRequestEndpoints.ts'
import { createPolicyRequests } from './policies/policyRequests.ts'
import { sharePolicyEndpoints } from './policies/sharePolicyEndpoints.ts'
import { createShareDeletions } from './account/shareDeletions.ts'
import { createStoreProofs } from './account/storeProofs.ts'
import { storeProofEndpoint } from './account/storeProofEndpoint.ts'
import { createWalletReassignment } from './account/walletReassignment.ts'
import { createApprovalLinks } from './approval/approvalLinks.ts'
import { createContacts } from './approval/contacts.ts'
import { deviceListEndpoints } from './approval/deviceListEndpoints.ts'
import { deviceRequestEndpoints } from './approval/deviceRequestEndpoints.ts'
import { createDeviceRequests } from './approval/deviceRequests.ts'
import { createDevices } from './approval/devices.ts'
import { createIdentityApprovals } from './approval/identityApprovals.ts'
import { identityEndpoints } from './approval/identityEndpoints.ts'
import { createProviderLogins } from './approval/providerLogins.ts'
import { providerCallbackPath, serveProviderCallbacks } from './approval/serveProviderCallbacks.ts'
import { devicePasskeyEndpoints, devicePasskeyPrefix } from './approval/devicePasskeyEndpoints.ts'
import { devicePath, linkEndpoints, serveDevicePage } from './approval/linkEndpoints.ts'
import { createShareAccess } from './approval/shareAccess.ts'
import { createAutomaticKeys } from './recovery/automaticKeys.ts'
import { enrolmentEndpoints } from './recovery/enrolmentEndpoints.ts'
import { recoveryMethodEndpoints } from './recovery/recoveryMethodEndpoints.ts'
import { createRecoveryMethods } from './recovery/recoveryMethods.ts'
import { createRecoveryStore } from './recovery/recoveryStore.ts'

/** The options of the share store. It takes from the auth service its public keys, and two responses that can only refuse a request. */
export type SharesOptions = KeyServiceOptions & {
  /** The public keys that verify access tokens. */
  authKeys: JWTVerifyGetKey
  /** Asks the auth service whether a session has ended. Its response can only refuse a request. */
  isSessionActive: IsSessionActive
  /** Asks the auth service whether it has a user. The wallet of a user who exists is not moved. */
  hasUser: HasUser
}

/** Mounts the share store: recovery shares, vaults, and the approval of devices. */
export async function mountShares(app: FastifyInstance, options: SharesOptions): Promise<KeyService> {
  const { projects, trustedProxies } = options
  const foundation = await openKeyServiceFoundation(app, { name: 'shares', migrations: shareMigrations }, options)
  const service = createShareService(foundation, options)
  const {
    links,
    store,
    devices,
    contacts,
    identityApprovals,
    providerLogins,
    farcasterLogins,
    deletions,
    deviceRequests,
    policyRequests,
    passkeys,
  } = service
  serveDevicePage(app, links)
  serveProviderCallbacks(app, { logins: providerLogins, frameUrl: options.frameUrl })
  serveContactStopPage(app, contacts)
  return runKeyService(app, options, foundation, {
    service: 'shares',
    endpoints: [
      ...identityEndpoints({ ...service, projects, trustedProxies }),
      ...deviceRequestEndpoints(service),
      ...deviceListEndpoints(service),
      ...devicePasskeyEndpoints(service),
      ...linkEndpoints({ ...service, projects, trustedProxies }),
      storeProofEndpoint(service),
      ...enrolmentEndpoints(service),
      ...recoveryMethodEndpoints(service),
      ...shareAccountEndpoints(service),
      ...sharePolicyEndpoints(service),
      ...policyRequestEndpoints(service),
      ...contactEndpoints({ ...service, trustedProxies, stopPage: () => options.url() + contactStopPath }),
    ],
    async sweep() {
      await devices.sweep()
      // This deletes the enrolments of the devices that were just deleted.
      const others = [identityApprovals, providerLogins, deletions, links, deviceRequests, policyRequests, passkeys]
      await Promise.all([store.sweep(), farcasterLogins?.sweep(), ...others.map((each) => each.sweep())])
    },
  })
}

function createShareService(foundation: KeyServiceFoundation, options: SharesOptions) {
  const { clock, proofs } = foundation
  const { url, socials = {}, mailLimits: limits } = options
  const devices = createDevices(foundation)
  const deviceRequests = createDeviceRequests(foundation)
  const contacts = createContacts(foundation)
  const automaticKeys = createAutomaticKeys(foundation)
  const links = createApprovalLinks({ ...foundation, limits, page: () => url() + devicePath })
  const checks = { keySet: options.authKeys, issuer: 'auth', audience: 'shares', clock } as const
  const authenticator = createAuthenticator({
    proofs,
    url,
    async verifyToken(token, key) {
      const claims = await verifyAccessToken(token, key, checks)
      if (await options.isSessionActive(claims.session)) return claims
      throw sessionEnded()
    },
  })
  const { farcaster, frameUrl } = options
  const farcasterLogins = createConfiguredFarcasterLogins('shares', { ...foundation, farcaster, frameUrl })
  const hash = createKeyedHash(foundation.pepper)
  const identityApprovals = createIdentityApprovals({ ...foundation, hash, farcasterLogins })
  const clients = createSocialClients(socials, clock)
  const providerLogins = createProviderLogins({
    ...foundation,
    hash,
    clients,
    redirectUri: (name) => url() + providerCallbackPath(name),
  })
  const passkeys = createPasskeys({
    ...foundation,
    frameUrl,
    tables: { passkeys: 'share_passkey', challenges: 'share_challenge' },
    challengePrefix: devicePasskeyPrefix,
  })
  return {
    ...foundation,
    devices,
    deviceRequests,
    contacts,
    automaticKeys,
    links,
    authenticator,
    identityApprovals,
    providerLogins,
    farcasterLogins,
    passkeys,
    storeProofs: createStoreProofs({ ...foundation, passkeys, url }),
    methods: createRecoveryMethods(foundation),
    store: createRecoveryStore({ ...foundation, devices, automaticKeys }),
    access: createShareAccess({ clock, authenticator, links, identityApprovals, contacts, devices, deviceRequests }),
    deletions: createShareDeletions(foundation),
    policies: createPolicyRecords({ ...foundation, table: 'share_policy' }),
    policyRequests: createPolicyRequests(foundation),
    reassignment: createWalletReassignment({ ...foundation, hasUser: options.hasUser }),
  }
}
