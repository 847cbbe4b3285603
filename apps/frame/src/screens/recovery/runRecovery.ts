import { methodTexts } from './methodTexts.ts'
import { recoveryMethodsScreen } from './recoveryMethodsScreen.ts'
import type { RecoveryMethodsScreenProps } from './recoveryMethodsStep.ts'
import { rehearsalScreen, type RehearsalScreenProps } from './rehearsalScreen.ts'
import type { Screen } from '../stage/stage.ts'

export type RecoveryProps = RecoveryMethodsScreenProps & Pick<RehearsalScreenProps, 'holder'>

/**
 * Shows the recovery methods, and a rehearsal whenever the user starts one, until the user is done.
 *
 * @param show shows a screen and resolves with its result, or with `undefined` if it was cancelled
 */
export async function runRecovery(
  props: RecoveryProps,
  show: <result>(screen: Screen<result>) => Promise<result | undefined>,
): Promise<void> {
  let notice: string | undefined
  for (;;) {
    const choice = await show(recoveryMethodsScreen({ ...props, ...(notice !== undefined && { notice }) }))
    if (choice === undefined || choice === 'done') return
    notice = await runRehearsal(props, choice.rehearse, show)
  }
}

/** @returns the confirmation of a successful rehearsal */
async function runRehearsal(
  { messages, holder, passkeys }: RecoveryProps,
  method: RehearsalScreenProps['method'],
  show: <result>(screen: Screen<result>) => Promise<result | undefined>,
): Promise<string | undefined> {
  let problem: string | undefined
  for (;;) {
    const screen = rehearsalScreen({ messages, holder, passkeys, method, ...(problem !== undefined && { problem }) })
    const result = await show(screen)
    if (result === undefined || result.kind === 'left') return undefined
    if (result.kind === 'tested') return messages.recoveryMethods.tested({ method: methodTexts(method, messages).name })
    problem = result.reason
  }
}
