import { en } from './en.ts'
import type { SwapTexts } from './texts.ts'

export const strings: SwapTexts = en
