import {
  approverOf,
  openSecondDevice,
  refusal,
  requestText,
  sealSecondDevice,
  signApproval,
} from '../../policy/secondDevice.ts'
import type { PolicyRule } from '../../policy/policyRule.ts'
import { readSpending } from '../../policy/readSpending.ts'
import type { DeviceKey } from '../../services/deviceKey.ts'
import type { PolicyRequests } from '../../services/policyRequests.ts'
import type { PolicyReport } from '../../services/policyService.ts'
import { ServiceRefusal } from '../../services/serviceRequest.ts'
import type { WalletAccount } from '../../services/shareStore.ts'
import type { SecondDeviceRequest, SecondDeviceState, SignRequest } from '../keyHolder.ts'
import { withEntropy } from '../withEntropy.ts'
import type { PolicyServices } from './readCopy.ts'

/** Approvals of requests by another device of the wallet. */
export type SecondDevices = {
  request(sent: { request: SignRequest; origin: string; rule: PolicyRule }): Promise<SecondDeviceRequest>
  /** Verifies the decision. An approval is used by the next signature of the same request, once. */
  check(id: string): Promise<SecondDeviceState>
  list(): Promise<readonly SecondDeviceRequest[]>
  respond(id: string, isApproved: boolean): Promise<void>
  /** Consumes an approval. @returns false if there is none, or if it has expired */
  consume(request: SignRequest): boolean
  /** Forgets all requests and approvals: the next user of this page must not use them. */
  forget(): void
}

export type SecondDevicesDependencies = {
  readonly requests: PolicyRequests
  readonly services: PolicyServices
  readonly key: DeviceKey
  accounts(): Promise<readonly WalletAccount[]>
  /** Returns a copy of the wallet's entropy, which is wiped here. */
  entropy(): Promise<Uint8Array>
  /** Milliseconds since the epoch. */
  now(): number
}

type SentRequest = { readonly sealed: Uint8Array; readonly request: SignRequest; readonly expiresAt: number }

/** Creates the approvals of the logged-in user. */
export function createSecondDevices(dependencies: SecondDevicesDependencies): SecondDevices {
  const { requests, key, accounts, now } = dependencies
  const requested = new Map<string, SentRequest>()
  /** Expiry of each approved request. */
  const approved = new Map<string, number>()
  return {
    async request({ request, origin, rule }) {
      const id = crypto.randomUUID()
      const match = newMatch()
      const sealed = await withEntropy(dependencies, (entropy) =>
        sealSecondDevice(entropy, id, { request, origin, rule, match }),
      )
      const { expiresAt } = await requests.add(id, sealed)
      requested.set(id, { sealed, request, expiresAt })
      return {
        id,
        origin,
        rule,
        match,
        expiresAt,
        spending: readSpending(request, { accounts: await accounts(), known: [] }),
      }
    },
    async check(id) {
      const sent = requested.get(id)
      if (sent === undefined) return 'expired'
      const state = await readState(dependencies, id, sent)
      if (state !== 'waiting') requested.delete(id)
      if (state === 'approved') approved.set(requestText(sent.request), sent.expiresAt)
      return state
    },
    list: () => listRequests(dependencies),
    async respond(id, isApproved) {
      const waiting = (await requests.list()).find((each) => each.id === id)
      if (waiting === undefined)
        throw new ServiceRefusal(404, 'id', 'This request has already been decided, or has expired.')
      await requests.decide(id, isApproved ? await signApproval(key.pair, id, waiting.sealed) : refusal)
    },
    consume(request) {
      const text = requestText(request)
      const expiresAt = approved.get(text)
      approved.delete(text)
      return expiresAt !== undefined && expiresAt > now()
    },
    forget() {
      requested.clear()
      approved.clear()
    },
  }
}

async function listRequests(dependencies: SecondDevicesDependencies): Promise<readonly SecondDeviceRequest[]> {
  const { requests, key, accounts } = dependencies
  const own = await accounts()
  const waiting = (await requests.list()).filter((each) => each.key !== key.thumbprint)
  return withEntropy(dependencies, async (entropy) => {
    const opened = waiting.map(async ({ id, sealed, expiresAt }): Promise<readonly SecondDeviceRequest[]> => {
      // The share store may add requests of its own, which don't open.
      const content = await openSecondDevice(entropy, id, sealed).catch(() => undefined)
      if (content === undefined) return []
      const { request, origin, rule, match } = content
      return [{ id, origin, rule, match, expiresAt, spending: readSpending(request, { accounts: own, known: [] }) }]
    })
    return (await Promise.all(opened)).flat()
  })
}

/** Both services must know the approving device for a day, so that neither can invent one. */
async function readState(
  { requests, services, key }: SecondDevicesDependencies,
  id: string,
  { sealed }: SentRequest,
): Promise<SecondDeviceState> {
  let response: string | undefined
  try {
    response = await requests.read(id)
  } catch (error) {
    if (error instanceof ServiceRefusal && error.status === 404) return 'expired'
    throw error
  }
  if (response === undefined) return 'waiting'
  const approver = await approverOf(response, id, sealed).catch(() => undefined)
  if (approver === undefined || approver === key.thumbprint) return 'refused'
  const reports = await Promise.all([services.auth.read(), services.shares.read()])
  const isKnown = ({ devices }: PolicyReport): boolean =>
    devices.some((device) => device.key === approver && device.isEstablished)
  return reports.every(isKnown) ? 'approved' : 'tooNew'
}

/** Two digits, without the bias of a remainder. */
function newMatch(): string {
  const [value = 0] = crypto.getRandomValues(new Uint8Array(1))
  return value < 200 ? String(value % 100).padStart(2, '0') : newMatch()
}
