import type { FastifyInstance } from 'fastify'
import type { JWTVerifyGetKey } from 'jose'
import { createConfiguredFarcasterCheck } from '../custody/identity/farcasterSettings.ts'
import {
  openKeyServiceFoundation,
  runKeyService,
  type KeyService,
  type KeyServiceFoundation,
  type KeyServiceOptions,
} from '../custody/keyService.ts'
import { createAuthenticator } from '../custody/requests/authenticator.ts'
import { verifyAccessToken } from '../custody/requests/verifyAccessToken.ts'
import { shareMigrations } from '../schema/shareMigrations.ts'
import { shareAccountEndpoints } from './account/shareAccountEndpoints.ts'
import { createShareDeletions } from './account/shareDeletions.ts'
import { createWalletReassignment } from './account/walletReassignment.ts'
import { createApprovalLinks } from './approval/approvalLinks.ts'
import { createContacts } from './approval/contacts.ts'
import { createDevices } from './approval/devices.ts'
import { createIdentityApprovals } from './approval/identityApprovals.ts'
import { identityEndpoints } from './approval/identityEndpoints.ts'
import { devicePath, linkEndpoints, serveDevicePage } from './approval/linkEndpoints.ts'
import { createShareAccess } from './approval/shareAccess.ts'
import { createAutomaticKeys } from './recovery/automaticKeys.ts'
import { enrolmentEndpoints } from './recovery/enrolmentEndpoints.ts'
import { recoveryMethodEndpoints } from './recovery/recoveryMethodEndpoints.ts'
import { createRecoveryMethods } from './recovery/recoveryMethods.ts'
import { createRecoveryStore } from './recovery/recoveryStore.ts'

/** The options of the share store. It knows the public keys of the auth service, and nothing else about it. */
export type SharesOptions = KeyServiceOptions & {
  /** The public keys that verify access tokens. */
  authKeys: JWTVerifyGetKey
}

/** Mounts the share store: recovery shares, vaults, and the approval of devices. */
export async function mountShares(app: FastifyInstance, options: SharesOptions): Promise<KeyService> {
  const { projects, trustedProxies } = options
  const foundation = await openKeyServiceFoundation(app, { name: 'shares', migrations: shareMigrations }, options)
  const service = createShareService(foundation, options)
  const { links, store, devices, identityApprovals, deletions } = service
  serveDevicePage(app, links)
  return runKeyService(app, options, foundation, {
    service: 'shares',
    endpoints: [
      ...identityEndpoints(service),
      ...linkEndpoints({ ...service, projects, trustedProxies }),
      ...enrolmentEndpoints(service),
      ...recoveryMethodEndpoints(service),
      ...shareAccountEndpoints(service),
    ],
    async sweep() {
      await devices.sweep()
      // This deletes the enrolments of the devices that were just deleted.
      await Promise.all([store.sweep(), identityApprovals.sweep(), deletions.sweep(), links.sweep()])
    },
  })
}

function createShareService(foundation: KeyServiceFoundation, options: SharesOptions) {
  const { clock, proofs } = foundation
  const { url, socials = {}, mailLimits: limits } = options
  const devices = createDevices(foundation)
  const contacts = createContacts(foundation)
  const automaticKeys = createAutomaticKeys(foundation)
  const links = createApprovalLinks({ ...foundation, limits, page: () => url() + devicePath })
  const checks = { keySet: options.authKeys, issuer: 'auth', clock }
  const authenticator = createAuthenticator({
    proofs,
    url,
    verifyToken: (token, key) => verifyAccessToken(token, key, checks),
  })
  const farcaster = createConfiguredFarcasterCheck(options.farcaster, options)
  const identityApprovals = createIdentityApprovals({ ...foundation, links, socials, farcaster })
  return {
    ...foundation,
    devices,
    contacts,
    automaticKeys,
    links,
    authenticator,
    identityApprovals,
    methods: createRecoveryMethods(foundation),
    store: createRecoveryStore({ ...foundation, devices, automaticKeys }),
    access: createShareAccess({ clock, authenticator, links, identityApprovals, contacts, devices }),
    deletions: createShareDeletions(foundation),
    reassignment: createWalletReassignment({ ...foundation, contacts }),
  }
}
