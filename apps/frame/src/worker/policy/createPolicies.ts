import { isLatchkeyError } from '@latchkey/protocol'
import { addToDay, isLooser, judgeRequest } from '../../policy/judgeRequest.ts'
import {
  encodePolicy,
  encodeSpentDay,
  parsePolicy,
  parseSpentDay,
  type AssetAmount,
  type Policy,
  type SpentDay,
} from '../../policy/policy.ts'
import { findExceededRule, type ExceededRule } from '../../policy/exceededRule.ts'
import { policyError } from '../../policy/policyError.ts'
import { certifyVerifier, createPolicyRecord, type PolicyKind, type PolicyRecord } from '../../policy/policyRecord.ts'
import { readSpending } from '../../policy/readSpending.ts'
import { isHarmless, type Spending } from '../../policy/spending.ts'
import { ServiceRefusal } from '../../services/serviceRequest.ts'
import type { WalletAccount } from '../../services/shareStore.ts'
import type { PolicyView, SignRequest } from '../keyHolder.ts'
import { withEntropy } from '../withEntropy.ts'
import { encodePendingPolicy, findPendingPolicy } from './findPendingPolicy.ts'
import { counterAt, describeCopy, type PolicyServices } from './readCopy.ts'
import { loadPolicies, type LoadedPolicies } from './loadPolicies.ts'
import type { PolicyMemory } from './policyMemory.ts'

/** The signing policy of the wallet in the worker, which alone can sign. */
export type WalletPolicies = {
  /** Loads the policy, and stores the newest one again at a service that returned an older one. */
  view(): Promise<PolicyView>
  /** @throws LatchkeyError `policy/conflict`, `policy/invalid`, `policy/unavailable`; ServiceRefusal 403 `deviceAge` */
  save(policy: Policy, counter: number): Promise<PolicyView>
  /**
   * Checks a request before it is signed, and counts what it takes.
   *
   * @throws LatchkeyError `policy/exceeded`, `policy/unavailable`
   */
  admit(request: SignRequest): Promise<void>
  /** Finds the rule that requests would exceed. Counts nothing. */
  exceededRule(requests: readonly SignRequest[]): Promise<ExceededRule | undefined>
}

export type WalletPoliciesDependencies = {
  readonly services: PolicyServices
  /** Thumbprint of this device. */
  readonly deviceKey: string
  memory(): Promise<PolicyMemory>
  accounts(): Promise<readonly WalletAccount[]>
  /** Returns a copy of the wallet's entropy, which is wiped here. */
  entropy(): Promise<Uint8Array>
  /** Uses up the approval of a second device. @returns false if there is none */
  isApproved(request: SignRequest): boolean
}

/** Attempts to count a request while other devices count theirs. */
const maxAttempts = 5
const dayMs = 24 * 60 * 60_000

/** Creates the signing policy of the logged-in user. */
export function createPolicies(dependencies: WalletPoliciesDependencies): WalletPolicies {
  const { accounts } = dependencies
  let last: Promise<unknown> = Promise.resolve()
  /** Sequential, so that requests of this page don't compete with each other for the counter. */
  function inTurn<result>(act: () => Promise<result>): Promise<result> {
    const turn = last.then(act)
    last = turn.catch(() => undefined)
    return turn
  }
  return {
    view: () =>
      inTurn(() =>
        withEntropy(dependencies, async (entropy) => {
          const loaded = await load(dependencies, entropy)
          await storeAgain(dependencies, entropy, loaded)
          return describePolicies(loaded)
        }),
      ),
    save: (policy, counter) =>
      inTurn(() => withEntropy(dependencies, (entropy) => savePolicy(dependencies, entropy, policy, counter))),
    async admit(request) {
      const own = await accounts()
      if (isHarmless(readSpending(request, { accounts: own, known: [] }))) return
      const admission = { request, accounts: own, isApproved: dependencies.isApproved(request) }
      await inTurn(() => withEntropy(dependencies, (entropy) => admitRequest(dependencies, entropy, admission)))
    },
    async exceededRule(requests) {
      const own = await accounts()
      const harmful = requests.filter((each) => !isHarmless(readSpending(each, { accounts: own, known: [] })))
      if (harmful.length === 0 || !(await mayHaveRules(dependencies))) return undefined
      return inTurn(() =>
        withEntropy(dependencies, async (entropy) => {
          const loaded = await load(dependencies, entropy)
          const policy = currentPolicy(loaded)
          const known = policy.onlyKnownReceivers ?? []
          const spendings = harmful.map((each) => readSpending(each, { accounts: own, known }))
          return findExceededRule(policy, spendings, spentDayOf(loaded))
        }),
      )
    },
  }
}

/**
 * False if this device has loaded the policy before, and there was none. Most wallets have no rules, so they don't wait
 * for a service.
 */
async function mayHaveRules({ memory }: WalletPoliciesDependencies): Promise<boolean> {
  const records = await (await memory()).read()
  return records === undefined || records.some(({ kind }) => kind === 'policy')
}

/** Returns the sums of the day. `undefined` if a service does not respond, because the other one could then begin a new day. */
function spentDayOf({
  copies: { auth, shares },
  newest,
}: LoadedPolicies): { readonly before: SpentDay | undefined; readonly today: number } | undefined {
  if (!auth.isReachable || !shares.isReachable) return undefined
  const stored = newest.get('spending')
  // The earlier clock counts: one service alone can't begin a new day.
  const today = Math.floor(Math.min(auth.report.now, shares.report.now) / dayMs)
  return { before: stored && parseSpentDay(stored.content), today }
}

/** Loads the newest records. A looser policy whose wait is over takes effect here. */
async function load(dependencies: WalletPoliciesDependencies, entropy: Uint8Array): Promise<LoadedPolicies> {
  const { services, memory } = dependencies
  const loaded = await loadPolicies(services, await memory(), entropy)
  const pending = findPendingPolicy(loaded)
  if (pending?.isDue !== true) return loaded
  const change = { kind: 'policy', content: encodePolicy(pending.policy) } as const
  // Without it, the stricter policy stays in force.
  const isApplied = await writeBoth(dependencies, entropy, loaded, change).catch(() => false)
  return isApplied ? loadPolicies(services, await memory(), entropy) : loaded
}

type Admission = {
  readonly request: SignRequest
  readonly accounts: readonly WalletAccount[]
  /** True if a second device approved it. It is counted, and no rule applies. */
  readonly isApproved: boolean
}

async function admitRequest(
  dependencies: WalletPoliciesDependencies,
  entropy: Uint8Array,
  { request, accounts, isApproved }: Admission,
): Promise<void> {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const loaded = await load(dependencies, entropy)
    const policy = currentPolicy(loaded)
    const spending = readSpending(request, { accounts, known: policy.onlyKnownReceivers ?? [] })
    const rule = judgeRequest(policy, spending)
    if (rule !== undefined && !isApproved) throw policyError('policy/exceeded', { rule })
    const { dailyLimit } = policy
    if (dailyLimit === undefined || isHarmless(spending)) return
    if (await countSpending(dependencies, entropy, loaded, { spending, dailyLimit, isApproved })) return
  }
  throw policyError('policy/exceeded', { rule: 'offline' })
}

/**
 * Adds a request to the sums of the day at both services before it is signed.
 *
 * @returns false if another device has changed the sums in the meantime
 * @throws LatchkeyError `policy/exceeded`
 */
async function countSpending(
  dependencies: WalletPoliciesDependencies,
  entropy: Uint8Array,
  loaded: LoadedPolicies,
  { spending, dailyLimit, isApproved }: { spending: Spending; dailyLimit: readonly AssetAmount[]; isApproved: boolean },
): Promise<boolean> {
  const day = spentDayOf(loaded)
  if (day === undefined) throw policyError('policy/exceeded', { rule: 'offline' })
  const { next, isWithin } = addToDay(dailyLimit, spending, day.before, day.today)
  if (!isWithin && !isApproved) throw policyError('policy/exceeded', { rule: 'daily' })
  return writeBoth(dependencies, entropy, loaded, { kind: 'spending', content: encodeSpentDay(next) })
}

async function savePolicy(
  dependencies: WalletPoliciesDependencies,
  entropy: Uint8Array,
  policy: Policy,
  counter: number,
): Promise<PolicyView> {
  const content = encodePolicy(policy)
  const loaded = await load(dependencies, entropy)
  const { auth, shares } = loaded.copies
  if (!auth.isReachable || !shares.isReachable) {
    throw policyError('policy/unavailable', { reason: 'a service did not respond' })
  }
  if (counter !== (loaded.newest.get('policy')?.record.counter ?? 0)) throw policyError('policy/conflict', {})
  const isLoosened = isLooser(policy, currentPolicy(loaded))
  if (isLoosened) assertEstablished(dependencies, loaded)
  // Only the auth service verifies passkeys.
  const mustWait = isLoosened && !auth.report.hasFreshPasskey
  const change = mustWait
    ? ({ kind: 'pending', content: encodePendingPolicy(policy, counter) } as const)
    : ({ kind: 'policy', content } as const)
  if (!(await writeBoth(dependencies, entropy, loaded, change))) throw policyError('policy/conflict', {})
  return describePolicies(await load(dependencies, entropy))
}

/** Both services must have known this device for a day, so that neither can lift the wait alone. */
function assertEstablished({ deviceKey }: WalletPoliciesDependencies, { copies }: LoadedPolicies): void {
  const isEstablished = [copies.auth, copies.shares].every(
    (copy) => copy.isReachable && copy.report.devices.some((each) => each.key === deviceKey && each.isEstablished),
  )
  if (isEstablished) return
  throw new ServiceRefusal(403, 'deviceAge', 'This device is too new for this action. Try again after a day.')
}

/**
 * Writes the next record of a kind to both services, first to the auth service.
 *
 * @returns false if another change came first
 */
async function writeBoth(
  { services, memory }: WalletPoliciesDependencies,
  entropy: Uint8Array,
  { copies, newest }: LoadedPolicies,
  { kind, content }: { kind: PolicyKind; content: Uint8Array },
): Promise<boolean> {
  const counter = Math.max(
    newest.get(kind)?.record.counter ?? 0,
    counterAt(copies.auth, kind),
    counterAt(copies.shares, kind),
  )
  const record = await createPolicyRecord(entropy, { kind, counter: counter + 1, content })
  const certificate = await certifyVerifier(entropy, record.verifier)
  try {
    await services.auth.write(record, counterAt(copies.auth, kind), certificate)
    await services.shares.write(record, counterAt(copies.shares, kind), certificate)
  } catch (error) {
    if (error instanceof ServiceRefusal && error.status === 409) return false
    throw createUnavailableError(kind, error)
  }
  await (await memory()).write(recordsWith(newest, record))
  return true
}

function createUnavailableError(kind: PolicyKind, cause: unknown): unknown {
  if (cause instanceof ServiceRefusal) return cause
  return kind === 'spending'
    ? policyError('policy/exceeded', { rule: 'offline' }, { cause })
    : policyError('policy/unavailable', { reason: 'a service did not respond' }, { cause })
}

function recordsWith(newest: LoadedPolicies['newest'], record: PolicyRecord): readonly PolicyRecord[] {
  const others = [...newest.values()].map((each) => each.record).filter(({ kind }) => kind !== record.kind)
  return [...others, record]
}

/** Stores the newest policy again at a service that lost it or was set back. The notice about it stays on the screen. */
async function storeAgain(
  { services }: WalletPoliciesDependencies,
  entropy: Uint8Array,
  { copies, newest }: LoadedPolicies,
): Promise<void> {
  const record = newest.get('policy')?.record
  if (record === undefined) return
  const certificate = await certifyVerifier(entropy, record.verifier)
  for (const name of ['auth', 'shares'] as const) {
    const copy = copies[name]
    if (!copy.isReachable || counterAt(copy, 'policy') >= record.counter) continue
    await services[name].write(record, counterAt(copy, 'policy'), certificate).catch((error: unknown) => {
      if (!(error instanceof ServiceRefusal) && !isLatchkeyError(error)) throw error
    })
  }
}

function currentPolicy({ newest }: LoadedPolicies): Policy {
  const stored = newest.get('policy')
  return stored === undefined ? {} : parsePolicy(stored.content)
}

function describePolicies(loaded: LoadedPolicies): PolicyView {
  const { copies, newest } = loaded
  const counter = newest.get('policy')?.record.counter ?? 0
  const pending = findPendingPolicy(loaded)
  return {
    policy: currentPolicy(loaded),
    counter,
    ...(pending !== undefined && { pending: { policy: pending.policy, at: pending.at } }),
    copies: { auth: describeCopy(copies.auth, counter), shares: describeCopy(copies.shares, counter) },
  }
}
