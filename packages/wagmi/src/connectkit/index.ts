'use client'

export { isLatchkeyError } from '@latchkey/protocol'
export { Avatar, type AvatarProps } from './button/Avatar.tsx'
export { ChainIcon, type ChainIconProps } from './button/ChainIcon.tsx'
export {
  ConnectKitButton,
  type ConnectKitButtonComponent,
  type ConnectKitButtonProps,
} from './button/ConnectKitButton.tsx'
export type { CustomConnectKitButtonProps } from './button/CustomConnectKitButton.tsx'
export type { ConnectKitButtonState } from './button/useButtonState.ts'
export { getDefaultConfig, type DefaultConfig, type DefaultConfigOptions } from './config/getDefaultConfig.ts'
export { useChainIsSupported } from './hooks/useChainIsSupported.ts'
export { useChains } from './hooks/useChains.ts'
export { useModal } from './hooks/useModal.ts'
export { useSIWE, type SIWEState, type UseSIWEOptions } from './hooks/useSIWE.ts'
export { ConnectKitProvider, type ConnectKitProviderProps } from './provider/ConnectKitProvider.tsx'
export type { ConnectKitOptions } from './provider/connectKitOptions.ts'
export type { CustomAvatarProps } from './provider/customAvatarProps.ts'
export type * as Types from './provider/customAvatarProps.ts'
export { SIWEProvider, type SIWEConfig, type SIWEProviderProps, type SIWESession } from './signIn/SIWEProvider.tsx'
export type { CustomTheme, Mode, Theme } from './theme/theme.ts'
export type { KitServices } from '../kit/createKitConnector.ts'
