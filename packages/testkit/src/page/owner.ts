import { createRejection } from '../rpcError.ts'

/** The simulated user of a wallet, who approves before it signs, sends or reveals anything. */
export type Owner = {
  /** @throws RpcError 4001 if the owner declines */
  requestApproval(): Promise<void>
  /** From now on, every approval waits for a decision. */
  hold(): void
  /** Decides the oldest pending approval, or the next one if none is pending. */
  decide(isApproved: boolean): void
}

/** The methods with which a test acts as the owner of a simulated wallet. */
export type OwnerControls = { hold(): void; approve(): void; decline(): void }

/** Creates an owner who approves everything immediately until `hold` is called. */
export function createOwner(): Owner {
  const pending: ((isApproved: boolean) => void)[] = []
  const decisions: boolean[] = []
  let isHolding = false
  return {
    async requestApproval() {
      const isApproved =
        decisions.shift() ?? (isHolding ? await new Promise<boolean>((resolve) => pending.push(resolve)) : true)
      if (!isApproved) throw createRejection()
    },
    hold: () => void (isHolding = true),
    decide(isApproved) {
      const resolve = pending.shift()
      if (resolve === undefined) decisions.push(isApproved)
      else resolve(isApproved)
    },
  }
}

/** Exposes an owner's decisions as methods of a simulated wallet. */
export function createOwnerControls(owner: Owner): OwnerControls {
  return { hold: owner.hold, approve: () => owner.decide(true), decline: () => owner.decide(false) }
}
