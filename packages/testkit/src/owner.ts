import { rejection } from './rpcError.ts'

/** The person the wallet belongs to, who is asked before it signs, sends or shows anything. */
export type Owner = {
  /** @throws RpcError 4001 when he declines. */
  ask(): Promise<void>
  /** From now on he takes his time: every question waits for `answer`. */
  hold(): void
  /** Answers the question that waits, or the next one. */
  answer(yes: boolean): void
}

/** Makes an owner who says yes to everything at once, until he is told to hold. */
export function createOwner(): Owner {
  const questions: ((yes: boolean) => void)[] = []
  const early: boolean[] = []
  let holding = false
  return {
    async ask() {
      const yes = early.shift() ?? (holding ? await new Promise<boolean>((answer) => questions.push(answer)) : true)
      if (!yes) throw rejection()
    },
    hold: () => void (holding = true),
    answer(yes) {
      const question = questions.shift()
      if (question === undefined) early.push(yes)
      else question(yes)
    },
  }
}
