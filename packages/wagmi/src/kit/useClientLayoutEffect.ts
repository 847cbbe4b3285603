import { useEffect, useLayoutEffect } from 'react'

/** `useLayoutEffect` without the warning of React 18 on a server, where no effect runs. */
export const useClientLayoutEffect: typeof useLayoutEffect =
  typeof document === 'undefined' ? useEffect : useLayoutEffect
