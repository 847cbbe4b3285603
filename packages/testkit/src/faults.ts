import { RpcError, createRejection } from './rpcError.ts'

/** A simulated failure of a wallet request. */
export type Fault =
  /** The owner declines (code 4001). */
  | { kind: 'reject' }
  /** The wallet returns an error. */
  | { kind: 'fail'; code: number; message: string; data?: unknown }
  /** The wallet never responds. */
  | { kind: 'silence' }
  /** The wallet returns an unexpected value. */
  | { kind: 'response'; value: unknown }

/** A method name, `approvals` for all methods that need approval, or `all`. */
export type FaultTarget = 'all' | 'approvals' | (string & {})

export type Faults = {
  /** Stays active until it is set to `undefined`. */
  set(target: FaultTarget, fault: Fault | undefined): void
  /** Applies once, before permanent faults. */
  once(target: FaultTarget, fault: Fault): void
  take(method: string): Fault | undefined
}

const approvals = [
  'eth_requestAccounts',
  'wallet_requestPermissions',
  'personal_sign',
  'eth_signTypedData_v4',
  'eth_sendTransaction',
  'wallet_sendCalls',
  'wallet_grantPermissions',
  'wallet_switchEthereumChain',
  'wallet_addEthereumChain',
]

/** True if a method needs the owner's approval. */
export function needsApproval(method: string): boolean {
  return approvals.includes(method)
}

/**
 * Creates the faults of a wallet.
 *
 * @param initial faults that stay, by method, `all` or `approvals`
 * @param requiresApproval returns true for methods that `approvals` includes
 */
export function createFaults(
  initial: Readonly<Record<string, Fault>> = {},
  requiresApproval: (method: string) => boolean = needsApproval,
): Faults {
  const lasting = new Map<string, Fault>(Object.entries(initial))
  const queue: { target: FaultTarget; fault: Fault }[] = []
  const applies = (target: string, method: string) =>
    target === 'all' || target === method || (target === 'approvals' && requiresApproval(method))
  return {
    set(target, fault) {
      if (fault === undefined) lasting.delete(target)
      else lasting.set(target, fault)
    },
    once: (target, fault) => void queue.push({ target, fault }),
    take(method) {
      const index = queue.findIndex(({ target }) => applies(target, method))
      if (index !== -1) return queue.splice(index, 1)[0]?.fault
      return [...lasting].find(([target]) => applies(target, method))?.[1]
    },
  }
}

/** Applies a fault instead of executing the request. */
export function fail(fault: Fault): unknown {
  switch (fault.kind) {
    case 'reject':
      throw createRejection()
    case 'fail':
      throw new RpcError(fault.code, fault.message, fault.data)
    case 'silence':
      return new Promise<never>(() => {})
    case 'response':
      return fault.value
  }
}
