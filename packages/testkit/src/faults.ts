import { RpcError, rejection } from './rpcError.ts'

/** How a wallet may fail to do what it is asked. */
export type Fault =
  /** Its owner declines: code 4001. */
  | { kind: 'reject' }
  /** An error of its own. */
  | { kind: 'fail'; code: number; message: string; data?: unknown }
  /** Nothing, ever. */
  | { kind: 'silence' }
  /** Something it should not say. */
  | { kind: 'answer'; value: unknown }

/** A method's name, `approvals` for all that ask the owner, or `all`. */
export type FaultTarget = 'all' | 'approvals' | (string & {})

export type Faults = {
  /** Lasts until it is set to undefined. */
  set(target: FaultTarget, fault: Fault | undefined): void
  /** Happens once, before those that last. */
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

/** Whether the wallet's owner is asked before this is done. */
export function needsApproval(method: string): boolean {
  return approvals.includes(method)
}

export function createFaults(
  initial: Readonly<Record<string, Fault>> = {},
  asksOwner: (method: string) => boolean = needsApproval,
): Faults {
  const lasting = new Map<string, Fault>(Object.entries(initial))
  const queue: { target: FaultTarget; fault: Fault }[] = []
  const applies = (target: string, method: string) =>
    target === 'all' || target === method || (target === 'approvals' && asksOwner(method))
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

/** Does what a fault says instead of the work. */
export function fail(fault: Fault): unknown {
  switch (fault.kind) {
    case 'reject':
      throw rejection()
    case 'fail':
      throw new RpcError(fault.code, fault.message, fault.data)
    case 'silence':
      return new Promise<never>(() => {})
    case 'answer':
      return fault.value
  }
}
