// Before the first paint: the theme and zoom of the last run, until the core answers with the stored settings.
(function () {
  try {
    var theme = localStorage.getItem('theme');
    if (theme && theme !== 'system') document.documentElement.dataset.theme = theme;
    var zoom = Number(localStorage.getItem('zoom'));
    if (zoom >= 80 && zoom <= 200) document.documentElement.style.setProperty('--zoom', String(zoom / 100));
  } catch {
    // Storage may be switched off: the stylesheet's own theme is right then.
  }
})();
