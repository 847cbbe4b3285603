import { methodTexts } from './methodTexts.ts'
import { recoveryMethodsScreen } from './recoveryMethodsScreen.ts'
import type { RecoveryMethodsScreenProps } from './recoveryMethodsStep.ts'
import { rehearsalScreen, type RehearsalScreenProps } from './rehearsalScreen.ts'
import type { Screen } from '../stage/stage.ts'

export type RecoveryProps = RecoveryMethodsScreenProps & Pick<RehearsalScreenProps, 'holder'>

/**
 * Shows the recovery methods, and a rehearsal whenever the user starts one, until the user is done.
 *
 * @param show shows a screen; `undefined` if it was cancelled
 */
export async function runRecovery(
  props: RecoveryProps,
  show: <answer>(screen: Screen<answer>) => Promise<answer | undefined>,
): Promise<void> {
  let said: string | undefined
  for (;;) {
    const choice = await show(recoveryMethodsScreen({ ...props, ...(said !== undefined && { said }) }))
    if (choice === undefined || choice === 'done') return
    said = await runRehearsal(props, choice.rehearse, show)
  }
}

/** @returns the confirmation of a successful rehearsal */
async function runRehearsal(
  { words, holder, passkeys }: RecoveryProps,
  method: RehearsalScreenProps['method'],
  show: <answer>(screen: Screen<answer>) => Promise<answer | undefined>,
): Promise<string | undefined> {
  let problem: string | undefined
  for (;;) {
    const screen = rehearsalScreen({ words, holder, passkeys, method, ...(problem !== undefined && { problem }) })
    const result = await show(screen)
    if (result === undefined || result.kind === 'left') return undefined
    if (result.kind === 'tested') return words.recoveryMethods.tested({ method: methodTexts(method, words).name })
    problem = result.reason
  }
}
