import { createAccountActions, type AccountActions, type AccountActionsDependencies } from './accountActions.ts'
import { createEmailChange, type EmailChange, type EmailChangeDependencies } from './emailChange.ts'
import { createRehearsals, type Rehearsals, type RehearsalsDependencies } from './rehearsals.ts'

export type SettingsActions = AccountActions & EmailChange & Rehearsals

export type SettingsActionsDependencies = AccountActionsDependencies & EmailChangeDependencies & RehearsalsDependencies

/** Creates the actions of the settings: account and devices, the change of the e-mail address, and recovery rehearsals. */
export function createSettingsActions(dependencies: SettingsActionsDependencies): SettingsActions {
  return {
    ...createAccountActions(dependencies),
    ...createEmailChange(dependencies),
    ...createRehearsals(dependencies),
  }
}
