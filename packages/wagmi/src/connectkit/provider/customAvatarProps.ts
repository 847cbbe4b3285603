export type { CustomTheme, Mode, Theme } from '../theme/theme.ts'

/** The props of an avatar of the app. */
export type CustomAvatarProps = {
  address?: string | undefined
  ensName?: string | undefined
  ensImage?: string
  size: number
  radius: number
}
