import { en } from './en.ts'
import type { LoginTexts } from './texts.ts'

export const strings: LoginTexts = en
