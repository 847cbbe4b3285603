'use client'

export { isLatchkeyError } from '@latchkey/protocol'
export { useAppKitSIWX } from './useAppKitSIWX.ts'
