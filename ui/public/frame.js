// The frame above stands and its stylesheet is read: the shell may show the window while the scripts load.
// Written against the shell's own bridge, because a module would wait for all other modules.
(function () {
  // oxlint-disable-next-line no-underscore-dangle -- Tauri's own name of it.
  var bridge = window.__TAURI_INTERNALS__;
  // In a browser there is no window to show.
  if (bridge)
    bridge.invoke('ui_ready', { stage: 'frame' }).catch(function () {
      // The window is shown after a time limit anyway.
    });
})();
