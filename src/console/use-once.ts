import { useRef, useState } from "preact/hooks";

/** Something that is sent to the server and must not be sent again while it is on its way: a second press does nothing. */
export function useOnce<Parameters extends unknown[]>(
  act: (...parameters: Parameters) => Promise<void>,
): { isBusy: boolean; run: (...parameters: Parameters) => void } {
  const [isBusy, setIsBusy] = useState(false);
  // Two presses may come before the page is drawn anew.
  const isOnItsWay = useRef(false);
  const once = async (...parameters: Parameters) => {
    if (isOnItsWay.current) return;
    isOnItsWay.current = true;
    setIsBusy(true);
    try {
      await act(...parameters);
    } finally {
      isOnItsWay.current = false;
      setIsBusy(false);
    }
  };
  return { isBusy, run: (...parameters) => void once(...parameters) };
}
