import type { IncomingMessage } from 'node:http'
import { Type } from '@sinclair/typebox'
import { formatBase64url } from '../../custody/requests/parseBase64url.ts'
import { storeProofSchema } from '../../custody/requests/storeProofSchema.ts'
import { defineEndpoint, type Endpoint } from '../../kit/http/defineEndpoint.ts'
import type { ApprovalLinks } from '../approval/approvalLinks.ts'
import type { IdentityApprovals } from '../approval/identityApprovals.ts'
import type { ShareAccess } from '../approval/shareAccess.ts'
import type { AutomaticKeys } from '../recovery/automaticKeys.ts'
import type { RecoveryStore } from '../recovery/recoveryStore.ts'
import { formatStoredWallet, storedWalletResponse } from '../recovery/storedWalletResponse.ts'
import type { StoreProofs } from './storeProofs.ts'
import type { AdoptingDevice, WalletReassignment } from './walletReassignment.ts'

export type ReassignmentEndpointsDependencies = {
  access: ShareAccess
  storeProofs: Pick<StoreProofs, 'assertProof'>
  links: Pick<ApprovalLinks, 'findApproval'>
  identityApprovals: Pick<IdentityApprovals, 'findApproval'>
  store: Pick<RecoveryStore, 'findEnrolment'>
  automaticKeys: Pick<AutomaticKeys, 'getOrCreate'>
  reassignment: WalletReassignment
}

const common = { method: 'POST', group: 'Share store' } as const

/** The endpoints that move a wallet to a new user id, after the auth service lost the old one. [K-04] */
export function reassignmentEndpoints(dependencies: ReassignmentEndpointsDependencies): readonly Endpoint[] {
  const { access, storeProofs, links, identityApprovals, store, automaticKeys, reassignment } = dependencies

  async function admit(raw: IncomingMessage): Promise<AdoptingDevice> {
    const { user, key } = await access.admit(raw)
    // Like every known device, an established one of the wallet needs no second proof besides the contact.
    const contact = (await links.findApproval(key)) ?? (await identityApprovals.findApproval(user, key))?.contact
    return { user, key, contact }
  }

  return [
    defineEndpoint({
      ...common,
      path: '/shares/v1/adopt/read',
      summary: 'Returns the wallet of this device under its previous user id, so that the device can open it.',
      body: Type.Object({}),
      response: Type.Object({
        ...storedWalletResponse.properties,
        previous: Type.String(),
        /** The key of the automatic recovery method, if the wallet has that method. */
        autoKey: Type.Optional(Type.String()),
      }),
      example: { body: {}, status: 401 },
      async handle({ raw }) {
        const device = await admit(raw)
        const { previous, setId } = await reassignment.find(device)
        const stored = formatStoredWallet(await store.findEnrolment({ user: previous, key: device.key }, setId), 'user')
        const isAutomatic = stored.wraps.some(({ method }) => method === 'auto')
        const autoKey = isAutomatic ? formatBase64url(await automaticKeys.getOrCreate(previous)) : undefined
        return { ...stored, previous, ...(autoKey !== undefined && { autoKey }) }
      },
    }),
    defineEndpoint({
      ...common,
      path: '/shares/v1/adopt',
      summary:
        'Moves the wallet of this device to its new user id, after the auth service lost the previous one. It needs a proof that the wallet is open.',
      body: Type.Object({ proof: Type.Optional(storeProofSchema) }),
      response: Type.Object({ previous: Type.String() }),
      example: { body: {}, status: 401 },
      async handle({ body: { proof }, raw }) {
        const device = await admit(raw)
        const wallet = await reassignment.find(device)
        const { previous } = wallet
        // It takes everything from the previous user, so the admission of a device must not be enough.
        await storeProofs.assertProof(device, { purpose: 'adopt', previous }, proof)
        await reassignment.reassign(device, wallet)
        return { previous }
      },
    }),
  ]
}
